// Messages of scripts in the language of the page, which contains them as templates.

const words = JSON.parse(document.querySelector("#words").textContent);

// The letter by which judges know a version, whose place is counted from 0.
export const letterOf = (place) => String.fromCharCode(65 + place);

export function word(name, values = {}) {
  return words[name].replace(/\{(\w+)\}/g, (_, key) => values[key]);
}
