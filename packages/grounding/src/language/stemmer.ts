/**
 * The algorithm of M. F. Porter, "An algorithm for suffix stripping" (1980), with the rules of `stemmer`
 * (https://github.com/words/stemmer, MIT, Copyright (c) 2014 Titus Wormer), on which it is based.
 */
const step2 = endings({
  ational: 'ate',
  tional: 'tion',
  enci: 'ence',
  anci: 'ance',
  izer: 'ize',
  bli: 'ble',
  alli: 'al',
  entli: 'ent',
  eli: 'e',
  ousli: 'ous',
  ization: 'ize',
  ation: 'ate',
  ator: 'ate',
  alism: 'al',
  iveness: 'ive',
  fulness: 'ful',
  ousness: 'ous',
  aliti: 'al',
  iviti: 'ive',
  biliti: 'ble',
  logi: 'log',
});
const step3 = endings({ icate: 'ic', ative: '', alize: 'al', iciti: 'ic', ical: 'ic', ful: '', ness: '' });
const step4 = /^(.+?)(al|ance|ence|er|ic|able|ible|ant|ement|ment|ent|ou|ism|ate|iti|ous|ive|ize)$/;

const consonants = '([^aeiou][^aeiouy]*)';
const vowels = '([aeiouy][aeiou]*)';
/** By the number of sequences of a vowel and a consonant. */
const atLeastOne = new RegExp(`^${consonants}?${vowels}${consonants}`);
const exactlyOne = new RegExp(`^${consonants}?${vowels}${consonants}${vowels}?$`);
const atLeastTwo = new RegExp(`^${consonants}?(${vowels}${consonants}){2,}`);
const withVowel = new RegExp(`^${consonants}?[aeiouy]`);
const shortSyllable = new RegExp(`^${consonants}[aeiouy][^aeiouwxy]$`);

/** The stem of an English word, in lower case: "releases", "released" and "releasing" have one. */
export function stemmer(value: string): string {
  const word = value.toLowerCase();
  if (word.length < 3) return word;
  // An initial y is a consonant: written as a capital, no rule matches it.
  const isY = word.startsWith('y');
  const marked = isY ? `Y${word.slice(1)}` : word;
  const stem = withoutFinalE(shortened(derived(inflected(withoutPlural(marked)))));
  return isY ? `y${stem.slice(1)}` : stem;
}

function endings(replacements: Readonly<Record<string, string>>): (word: string) => string {
  const form = new RegExp(`^(.+?)(${Object.keys(replacements).join('|')})$`);
  return (word) => {
    const [, stem = '', ending = ''] = form.exec(word) ?? [];
    return stem !== '' && atLeastOne.test(stem) ? stem + (replacements[ending] ?? '') : word;
  };
}

function withoutPlural(word: string): string {
  if (/^.+?(?:ss|i)es$/.test(word)) return word.slice(0, -2);
  return /^.+?[^s]s$/.test(word) ? word.slice(0, -1) : word;
}

/** Without -ed and -ing, and with -i for a final -y. */
function inflected(word: string): string {
  const [, agreed] = /^(.+?)eed$/.exec(word) ?? [];
  const [, stem] = /^(.+?)(?:ed|ing)$/.exec(word) ?? [];
  let result = word;
  if (agreed !== undefined) result = atLeastOne.test(agreed) ? word.slice(0, -1) : word;
  else if (stem !== undefined && withVowel.test(stem)) result = completed(stem);
  const [, before] = /^(.+?)y$/.exec(result) ?? [];
  return before !== undefined && withVowel.test(before) ? `${before}i` : result;
}

function completed(stem: string): string {
  if (/(?:at|bl|iz)$/.test(stem)) return `${stem}e`;
  if (/([^aeiouylsz])\1$/.test(stem)) return stem.slice(0, -1);
  return shortSyllable.test(stem) ? `${stem}e` : stem;
}

function derived(word: string): string {
  return step3(step2(word));
}

function shortened(word: string): string {
  const [, stem] = step4.exec(word) ?? /^(.+?(?:s|t))ion$/.exec(word) ?? [];
  return stem !== undefined && atLeastTwo.test(stem) ? stem : word;
}

function withoutFinalE(word: string): string {
  const [, stem] = /^(.+?)e$/.exec(word) ?? [];
  const isLong =
    stem !== undefined && (atLeastTwo.test(stem) || (exactlyOne.test(stem) && !shortSyllable.test(stem)));
  const result = isLong ? stem : word;
  return result.endsWith('ll') && atLeastTwo.test(result) ? result.slice(0, -1) : result;
}
