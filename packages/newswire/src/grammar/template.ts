import type { Language, Pair } from '../dispatch.ts';
import type { Random } from '../random.ts';

/** A name or phrase in both languages, or a number with its wording in both. */
export type Slots = Readonly<Record<string, Pair | { readonly text: Pair }>>;

/** The values for a template. */
export interface Scene {
  readonly slots: Slots;
  /** Decides every `<one|other>` of an event, alike in both languages and in every dispatch. */
  readonly turn: number;
}

type Node =
  | string
  | { readonly slot: string; readonly capital: boolean }
  | { readonly choices: readonly Node[][]; readonly settled: boolean };

const compiled = new Map<string, readonly Node[]>();

/**
 * `{place}` is filled from the slots, `{Place}` with a capital letter. `<one|other>` is a choice of fact that the
 * event settles; `[one|other]` a choice of wording: dispatches that differ only in such choices are near-identical.
 */
export function fill(template: string, scene: Scene, language: Language, words: Random): string {
  return render(nodesOf(template), { scene, index: language === 'en' ? 0 : 1, words }, false);
}

/** The same, as a sentence or headline: it begins with a capital letter. Slots that were filled are added to `used`. */
export function fillSentence(
  template: string,
  scene: Scene,
  language: Language,
  words: Random,
  used?: Set<string>,
): string {
  return render(nodesOf(template), { scene, index: language === 'en' ? 0 : 1, words, used }, true);
}

interface Filling {
  readonly scene: Scene;
  readonly index: 0 | 1;
  readonly words: Random;
  readonly used?: Set<string> | undefined;
}

function nodesOf(template: string): readonly Node[] {
  let nodes = compiled.get(template);
  if (nodes === undefined) {
    nodes = parse(template);
    compiled.set(template, nodes);
  }
  return nodes;
}

function render(nodes: readonly Node[], filling: Filling, sentence: boolean): string {
  const { scene, index, words, used } = filling;
  let text = '';
  let last = 0;
  for (const node of nodes) {
    let piece: string;
    if (typeof node === 'string') piece = node;
    else if ('slot' in node) {
      const fact = scene.slots[node.slot];
      if (fact === undefined)
        throw new Error(`a template asks for {${node.slot}}, which its kind does not draw`);
      const pair = 'text' in fact ? fact.text : fact;
      used?.add(node.slot);
      piece = node.capital ? capitalized(pair[index]) : pair[index];
    } else {
      const chosen = node.settled ? node.choices[scene.turn % node.choices.length] : words.pick(node.choices);
      piece = render(chosen ?? [], filling, false);
    }
    if (sentence && last === 0) piece = capitalized(piece);
    // The possessive of a name that ends in s.
    if (index === 0 && last === 115 && piece.startsWith("'s ")) piece = `'${piece.slice(2)}`;
    // The last character is stored: reading it from the growing text would copy that text each time.
    text += index === 1 && scriptsMeet(last, piece.charCodeAt(0)) ? ` ${piece}` : piece;
    last = piece.charCodeAt(piece.length - 1);
  }
  return text;
}

/** Chinese typesetting puts a space between Han characters and Latin letters or digits. */
function scriptsMeet(before: number, after: number): boolean {
  return (isHan(before) && isLatin(after)) || (isLatin(before) && isHan(after));
}

function isHan(code: number): boolean {
  return code >= 0x4e00 && code <= 0x9fff;
}

/** A percent sign counts as part of its number. */
function isLatin(code: number): boolean {
  return (
    code === 37 || (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122)
  );
}

function parse(template: string): Node[] {
  const nodes: Node[] = [];
  for (const [part] of template.matchAll(/\{[^}]+\}|\[[^\]]*\]|<[^>]*>|[^{[<]+/g)) {
    const inner = part.slice(1, -1);
    if (part.startsWith('{')) {
      const slot = inner.charAt(0).toLowerCase() + inner.slice(1);
      nodes.push({ slot, capital: slot !== inner });
    } else if (part.startsWith('[') || part.startsWith('<')) {
      nodes.push({ choices: inner.split('|').map(parse), settled: part.startsWith('<') });
    } else nodes.push(part);
  }
  return nodes;
}

function capitalized(text: string): string {
  const code = text.charCodeAt(0);
  return code >= 97 && code <= 122 ? text.charAt(0).toUpperCase() + text.slice(1) : text;
}
