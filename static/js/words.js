// Messages of scripts in the language of the page, which contains them as templates.

const words = JSON.parse(document.querySelector("#words").textContent);

export function word(name, values = {}) {
  return words[name].replace(/\{(\w+)\}/g, (_, key) => values[key]);
}
