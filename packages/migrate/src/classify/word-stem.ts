/**
 * A light English stemmer: it only has to map the forms of one word to one key, never to a readable word.
 * Both the lexicon and the notes pass through it.
 */
export function stem(word: string): string {
  let key = word.endsWith("'s") ? word.slice(0, -2) : word;
  if (key.length > 4 && key.endsWith('ies')) key = `${key.slice(0, -3)}y`;
  else if (key.length > 3 && key.endsWith('s') && !/(?:ss|us|is)$/.test(key)) key = key.slice(0, -1);
  if (key.length > 5 && key.endsWith('ing')) key = withoutDoubling(key.slice(0, -3));
  else if (key.length > 4 && key.endsWith('ed')) key = withoutDoubling(key.slice(0, -2));
  if (key.length > 4 && key.endsWith('ly')) key = key.slice(0, -2);
  if (key.length > 3 && key.endsWith('e')) key = key.slice(0, -1);
  return key;
}

function withoutDoubling(key: string): string {
  const last = key.at(-1);
  return key.length > 3 && last === key.at(-2) && last !== 's' && last !== 'l' ? key.slice(0, -1) : key;
}

/** Words too common to indicate a note's place. Pronouns are counted by the shape of the text instead. */
export const stopWords: ReadonlySet<string> = new Set(
  `a an the and or but if then else so as at by for from in into of off on onto out over to up down with without
  is are was were be been being am do does did done has have had having it its this that these those there here
  he she they them his her their him we us our you your i me my mine yours not no nor too very just also only
  can could may might will would shall than which who whom whose what when where why how all any both each few
  more most other some such own same again once about above after before below between during under until while
  because through against don't doesn't didn't isn't aren't i'm it's i've i'd that's there's s t re ve ll d m
  www http https com org net html one two get got go make made thing things way lot really much many`
    .split(/\s+/)
    .filter((word) => word !== ''),
);
