// Messages of scripts in the language of the page, which contains them as templates.

const words = JSON.parse(document.querySelector("#words").textContent);

// The letter by which judges know a version, whose place is counted from 0.
export const letterOf = (place) => String.fromCharCode(65 + place);

// An edit in words, without white space around them.
export function describe(before, after) {
  const [old, now] = [before.trim(), after.trim()];
  if (!old && (now || after.length > before.length)) return word("inserted", { now: now || "␣" });
  return now ? word("replaced", { old, now }) : word("deleted", { old: old || "␣" });
}

export function word(name, values = {}) {
  return words[name].replace(/\{(\w+)\}/g, (_, key) => values[key]);
}
