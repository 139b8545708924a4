// Graphemes and words of a text; the same rules as the server's in judgments/rules/texts/words.py,
// where they are explained.

export const SPACE = /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;
const OUTER = new RegExp(`^${SPACE.source}+|${SPACE.source}+$`, "g");
const EXTENDING = /[\p{M}\u200c\u200d\u0e33\u0eb3\uff9e\uff9f\u{1f3fb}-\u{1f3ff}\u{e0020}-\u{e007f}]/u;
const JOINER = "\u200d";
const FLAG_LETTER = /[\u{1f1e6}-\u{1f1ff}]/u;
const LINKER = /[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0c4d\u0ccd\u0d4d\u1039\u17d2]/;
const OTHER_LETTER = /\p{Lo}/u;
const [INITIAL, VOWEL, FINAL, SYLLABLE] = [/[\u1100-\u115f]/, /[\u1160-\u11a7]/, /[\u11a8-\u11ff]/, /[\uac00-\ud7a3]/];
const FINALS_PER_SYLLABLE = 28;
const LETTER = /^[\p{L}\p{N}_]/u;
const DIGITS = /^\p{Nd}+$/u;
const UNSPACED = new RegExp(
  "^[\\u0e00-\\u0eff\\u1000-\\u109f\\u1780-\\u17ff\\u3040-\\u312f\\u31a0-\\u31ff\\u3400-\\u4dbf" +
    "\\u4e00-\\u9fff\\uf900-\\ufaff\\uff66-\\uff9f\\u{20000}-\\u{3ffff}]",
  "u",
);
const APOSTROPHE = /^['\u2019]$/;
const APOSTROPHE_OR_HYPHEN = /^['\u2019\-\u2010\u2011]$/;
const CLITIC = /^(s|t|m|d|ll|re|ve)$/i;

export const trimmed = (text) => text.replace(OUTER, "");

export function clusters(text) {
  const found = [];
  for (const character of text) {
    if (found.length && belongs(found.at(-1), character)) found[found.length - 1] += character;
    else found.push(character);
  }
  return found;
}

function belongs(cluster, character) {
  if (SPACE.test(cluster)) return false;
  return EXTENDING.test(character) || cluster.endsWith(JOINER) || completes([...cluster], character);
}

function completes(cluster, character) {
  if (FLAG_LETTER.test(character)) {
    const [before, last] = cluster.slice(-2).map((letter) => FLAG_LETTER.test(letter));
    return last === undefined ? before : !before && last;
  }
  if (!OTHER_LETTER.test(character)) return false;
  return isLinked(cluster) || makesSyllable(cluster.at(-1), character);
}

function isLinked(cluster) {
  const last = cluster.findLast((character) => LINKER.test(character) || !EXTENDING.test(character));
  return last !== undefined && LINKER.test(last);
}

function makesSyllable(before, after) {
  if (INITIAL.test(before)) return INITIAL.test(after) || VOWEL.test(after) || SYLLABLE.test(after);
  const isOpen = SYLLABLE.test(before) && (before.codePointAt(0) - 0xac00) % FINALS_PER_SYLLABLE === 0;
  if (isOpen || VOWEL.test(before)) return VOWEL.test(after) || FINAL.test(after);
  return (SYLLABLE.test(before) || FINAL.test(before)) && FINAL.test(after);
}

const isLetter = (sign) => LETTER.test(sign);
const isInWord = (sign) => sign !== undefined && isLetter(sign) && !UNSPACED.test(sign);

// Splits a text into words, punctuation marks and single letters, each with the white space before it.
export function tokensOf(text) {
  const signs = clusters(text);
  const tokens = [];
  let at = 0;
  while (at < signs.length) {
    const begin = at;
    while (at < signs.length && SPACE.test(signs[at])) at += 1;
    const word = at;
    if (at < signs.length) at = endOfToken(signs, at);
    const letters = signs.slice(word, at);
    tokens.push({ space: signs.slice(begin, word).join(""), text: letters.join(""), isWord: letters.some(isLetter) });
  }
  return tokens;
}

// Finds where words, punctuation marks and single letters begin and end.
export function wordsOf(text) {
  let end = 0;
  const words = tokensOf(text).map((token) => {
    const start = end + token.space.length;
    end = start + token.text.length;
    return { start, end };
  });
  return words.filter((word) => word.start < word.end);
}

function endOfToken(signs, begin) {
  const first = signs[begin];
  if (APOSTROPHE.test(first)) {
    const end = endOfLetters(signs, begin + 1);
    return CLITIC.test(signs.slice(begin + 1, end).join("")) ? end : begin + 1;
  }
  if (!isInWord(first)) return begin + 1;
  let end = endOfLetters(signs, begin);
  while (joins(signs[end - 1], signs[end], signs[end + 1])) end = endOfLetters(signs, end + 1);
  return end;
}

function endOfLetters(signs, begin) {
  let end = begin;
  while (isInWord(signs[end])) end += 1;
  return end;
}

function joins(before, sign, after) {
  if (!isInWord(after)) return false;
  if (APOSTROPHE_OR_HYPHEN.test(sign)) return true;
  return (sign === "." || sign === ",") && DIGITS.test(before) && DIGITS.test(after);
}
