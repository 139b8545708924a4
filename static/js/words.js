// What scripts say, in the language of the page: it brings the words along, and they get their values here.

const words = JSON.parse(document.querySelector("#words").textContent);

export function word(name, values = {}) {
  return words[name].replace(/\{(\w+)\}/g, (_, key) => values[key]);
}
