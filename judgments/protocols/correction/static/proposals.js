// Proposes a category for an edit, by the form of its words alone. A kind of error has the names that it has in the
// published lists, and plain ones by which an organiser's own list may call it, with small or capital letters; the
// first that is offered is proposed.

import { sharedEnds } from "../../js/texts/diff.js";
import { tokensOf } from "../../js/texts/tokens.js";

const NAMES = {
  punctuation: ["PUNCT", "Mec", "punctuation", "mechanics"],
  orthography: ["ORTH", "Mec", "orthography", "capitalisation", "capitalization", "spelling", "mechanics"],
  spelling: ["SPELL", "Mec", "spelling", "orthography", "mechanics"],
  order: ["WO", "WOinc", "word order", "order"],
  determiner: ["DET", "ArtOrDet", "determiner", "article", "articles", "determiners"],
  preposition: ["PREP", "Prep", "preposition", "prepositions"],
  pronoun: ["PRON", "Pform", "pronoun", "pronouns"],
  conjunction: ["CONJ", "Trans", "conjunction", "linking"],
  possessive: ["NOUN:POSS", "Npos", "possessive"],
  contraction: ["CONTR", "Mec", "contraction"],
  number: ["NOUN:NUM", "Nn", "noun number", "number"],
  agreement: ["VERB:SVA", "SVA", "agreement", "subject-verb agreement"],
  modal: ["VERB:TENSE", "Vm", "modal", "tense", "verb tense"],
  verb: ["VERB:TENSE", "V0", "missing verb", "verb"],
  tense: ["VERB:TENSE", "Vt", "tense", "verb tense"],
  form: ["VERB:FORM", "Vform", "verb form"],
  derivation: ["MORPH", "Wform", "word form"],
  redundant: ["OTHER", "Rloc-", "redundancy", "other"],
  choice: ["OTHER", "Wci", "word choice", "lexis", "vocabulary", "other"],
};

const list = (words) => new Set(words.split(" "));
const DETERMINERS = list("a an the this that these those some any every each no another such many much few several");
const PREPOSITIONS = list(
  "of in to for on at by with from about into onto over under between among through during against within without " +
    "upon toward towards across behind beyond after before since until as like off out up around",
);
const PRONOUNS = list(
  "i me my mine myself you your yours yourself he him his himself she her hers herself it its itself we us our ours " +
    "ourselves they them their theirs themselves who whom whose which one ones oneself",
);
const CONJUNCTIONS = list(
  "and but or nor so yet because although though while whereas if unless that however therefore moreover furthermore " +
    "besides thus hence then also finally firstly secondly",
);
const MODALS = list("can could may might must shall should will would wo ca 'll 'd");
const AUXILIARIES = list("am is are was were be been being has have had having do does did 's 're 've 'm");
const PRESENT = [list("am is are 's 're 'm"), list("was were"), list("has have 've"), list("do does")];
const CONTRACTED = list("n't not 's is has 're are 've have 'll will 'd would 'm am");
const APOSTROPHE = /['’]/;
const GENITIVE = /['’]s?$/;
const SUBJECTS = list("i you he she it we they who which that people");

const MOST_MISSPELT = 2; // letters
const LONGEST_SHARED = 2; // letters at the ends of two forms of a word: necessary, necessarily
const SHORTEST_STEM = 4;
// Endings of forms of a word behind what they share.
const BARE = /^[ey]?$/;
const PLURAL = /^(s|es|ies|ves)$/;
const PARTICIPLE = /^ing$/;
const PAST = /^(ed|d|t|ied|n|en)$/;
const DERIVED = /^(ly|ally|al|ness|t?ion|ity|ment|[ae]nce|[ae]ncy|ful|ive|[ai]ble|[ae]nt|ic|ical)$/;

// `before` is the text before the edit; names are those of the categories.
export function propose({ old, now, before, isEnglish }, names) {
  const kind = kindOf(wordsOf(old), wordsOf(now), before, isEnglish);
  const called = new Map(names.map((name) => [name.toLowerCase(), name]));
  const found = NAMES[kind]?.find((name) => called.has(name.toLowerCase()));
  return found ? called.get(found.toLowerCase()) : "";
}

const wordsOf = (text) => tokensOf(text).filter((token) => token.text);
const lastWord = (text) => tokensOf(text).findLast((token) => token.isWord)?.text.toLowerCase() ?? "";
const textOf = (tokens) => tokens.map((token) => token.text).join(" ");

function kindOf(old, now, before, isEnglish) {
  const [left, right] = withoutShared(old, now);
  const changed = [...left, ...right];
  if (changed.every((token) => !token.isWord)) return "punctuation";
  const [one, other] = [textOf(left), textOf(right)];
  const [plain, written] = [one, other].map((text) => text.toLowerCase().replace(/[\s\-]/g, ""));
  if (plain === written) return "orthography";
  if (sorted(left) === sorted(right)) return "order";
  const isPair = left.length === 1 && right.length === 1;
  const forms = isPair && formsOf(one.toLowerCase(), other.toLowerCase());
  if (isPair && forms.isMisspelt && forms.back >= LONGEST_SHARED) return "spelling";
  if (!isEnglish) return null;
  const words = changed.filter((token) => token.isWord).map((token) => token.text.toLowerCase());
  const byLists = kindByLists(words, left, right);
  if (byLists) return byLists;
  if (!right.length) return "redundant";
  return isPair ? kindOfForms(forms, lastWord(before)) : "choice";
}

// A word repeated in the replacement, as in "go > go to", says nothing about the error.
function withoutShared(old, now) {
  const texts = [old, now].map((tokens) => tokens.map((token) => token.text));
  const isIn = (texts, token) => texts.includes(token.text);
  if (sorted(old) === sorted(now)) return [old, now];
  return [old.filter((token) => !isIn(texts[1], token)), now.filter((token) => !isIn(texts[0], token))];
}

function sorted(tokens) {
  const words = tokens.map((token) => token.text.toLowerCase());
  return words.sort().join(" ");
}

function kindByLists(words, left, right) {
  const are = (known) => words.every((word) => known.has(word));
  const isPair = left.length === 1 && right.length === 1;
  if (are(DETERMINERS)) return "determiner";
  if (are(PREPOSITIONS)) return "preposition";
  if (isPair && are(CONTRACTED) && words.some((word) => APOSTROPHE.test(word))) return "contraction";
  const genitives = words.filter((word) => GENITIVE.test(word)).length;
  if (isPair ? genitives === 1 : genitives === words.length) return "possessive";
  if (isPair && PRESENT.some(are)) return "agreement";
  if (words.every((word) => MODALS.has(word) || AUXILIARIES.has(word))) {
    if (words.some((word) => MODALS.has(word))) return "modal";
    return left.length ? "tense" : "verb";
  }
  if (are(PRONOUNS)) return "pronoun";
  if (are(CONJUNCTIONS)) return "conjunction";
  return null;
}

// What two words share at both ends, and where their ends differ.
function formsOf(old, now) {
  const [stem, back] = sharedEnds([...old], [...now]);
  const isMisspelt =
    stem > 0 && old.length > MOST_MISSPELT && Math.max(old.length, now.length) - stem - back <= MOST_MISSPELT;
  return { stem, back, isMisspelt, endings: [old.slice(stem), now.slice(stem)] };
}

function kindOfForms({ stem, isMisspelt, endings }, before) {
  const is = (pattern) => endings.some((ending) => pattern.test(ending));
  if (stem > MOST_MISSPELT || endings.includes("")) {
    if (endings.every((ending) => BARE.test(ending) || PLURAL.test(ending))) {
      return SUBJECTS.has(before) ? "agreement" : "number";
    }
    if (is(PARTICIPLE)) return "form";
    if (is(DERIVED)) return "derivation";
    if (is(PAST) && stem > MOST_MISSPELT) return "tense";
  }
  if (isMisspelt) return "spelling";
  return stem >= SHORTEST_STEM ? "derivation" : "choice";
}
