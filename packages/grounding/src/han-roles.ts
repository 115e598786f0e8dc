import type { Aligned } from './alignment.ts';
import { bestAligned } from './alignment.ts';
import { surname } from './han-names.ts';
import { hanCharacter, hanWords } from './language/han-text.ts';
import type { Passage } from './passages.ts';

/** A part of the claim that the stated sentence contains; `from` is its place in the claim, `at` in the sentence. */
interface Chunk {
  readonly from: number;
  readonly at: number;
  readonly text: string;
}

const scoreMin = 0.4;
/** An agent after the verb: with one of these, the reverse order says the same. */
const passive = /[被由遭获让比]/u;
const pronoun =
  /^(?:他|她|它|他们|她们|其|该|当局|有关|并|又|亦|也|则|而|将|现|已|再|至于|另外|此外|当中|其中|因此|至今|目前|日前|早前)*$/u;

/** A part that begins with one of these is no subject. */
const adverbial = /^(?:以|在|由|把|将|经|向|对|从|为|按|据|就|因|于|当|随|透过|通过|根据)/u;

/** Chinese names or nouns of the claim in a role that the best sentence gives to another one. */
export function misplacedHanNames(claim: Passage, aligned: readonly Aligned[]): string[] {
  const near = bestAligned(aligned, scoreMin, 0.15);
  if (near.length === 0 || !hanCharacter.test(claim.text)) return [];
  const said = compact(claim.text);
  const clauses = claim.text.split(/[,;:。]/u).map(compact);
  const swaps = near.map(({ passage }) => swappedChunks(said, compact(passage.text)));
  const replaced = near.map((one) => clauses.flatMap((clause) => replacedParts(clause, one)));
  return [
    ...(swaps.find((names) => names.length > 0) ?? []),
    ...(replaced.some((parts) => parts.length === 0) ? [] : (replaced[0] ?? [])),
  ];
}

function compact(text: string): string {
  return text.replace(/[\s“”"]/gu, '');
}

/** The longest common parts from left to right, of two characters and more. */
function chunksOf(claim: string, stated: string): Chunk[] {
  const chunks: Chunk[] = [];
  for (let from = 0; from < claim.length;) {
    let length = 1;
    while (from + length < claim.length && stated.includes(claim.slice(from, from + length + 1))) length += 1;
    if (length > 1) {
      const text = claim.slice(from, from + length);
      chunks.push({ from, at: stated.indexOf(text), text });
    }
    from += length;
  }
  return chunks.filter(({ text }) => /\p{Script=Han}{2}/u.test(text));
}

/** Two parts in the reverse order with a third one between them in both. */
function swappedChunks(claim: string, stated: string): string[] {
  const chunks = chunksOf(claim, stated);
  for (const [index, one] of chunks.entries()) {
    for (let end = chunks.length - 1; end > index + 1; end -= 1) {
      const other = chunks[end];
      if (other === undefined || other.at >= one.at || !isName(one) || !isName(other)) continue;
      const middle = chunks
        .slice(index + 1, end)
        .some(({ at, text }) => at > other.at && at + text.length <= one.at);
      const said = claim.slice(one.from + one.text.length, other.from);
      const written = stated.slice(other.at + other.text.length, one.at);
      if (middle && !passive.test(said) && !passive.test(written) && written.length < 60)
        return [one.text, other.text];
    }
  }
  return [];
}

function isName({ text }: Chunk): boolean {
  return text.length <= 10 && /^\p{Script=Han}+$/u.test(text) && isNoun(text);
}

/** Parts of a clause whose surroundings are in the sentence around another part. */
function replacedParts(clause: string, { passage, previous, source }: Aligned): string[] {
  const stated = compact(passage.text);
  const chunks = chunksOf(clause, stated);
  const found: string[] = [];
  for (let index = 0; index <= chunks.length; index += 1) {
    const [left, right] = [chunks[index - 1], chunks[index]];
    const from = left === undefined ? 0 : left.from + left.text.length;
    const part = clause.slice(from, right?.from ?? clause.length);
    if (!/^\p{Script=Han}{2,8}$/u.test(part)) continue;
    if ((left?.text.length ?? 0) < 2 && (right?.text.length ?? 0) < 5) continue;
    if ((right?.text.length ?? 0) < 2 && (left?.text.length ?? 0) < 5) continue;
    const instead = between(stated, left, right);
    const name = part.replace(/^(?:将|会|已|在|的|为|是)+/u, '');
    // A subject may be the one of the sentence before.
    const isOpen = left === undefined && stated[(right?.at ?? 0) - 1] === ',';
    const near = isOpen ? stated + compact(previous?.text ?? '') : stated;
    const isReplaced =
      /\p{Script=Han}{2}/u.test(instead) &&
      !adverbial.test(instead) &&
      !pronoun.test(instead) &&
      !instead.includes(name);
    if (
      isReplaced &&
      (isNoun(name) || ((right?.text.length ?? 0) >= 8 && isWord(name))) &&
      !near.includes(name) &&
      source.facts.text.includes(name)
    )
      found.push(name);
  }
  return found;
}

/** A person's name, or a word that ends like an office, an organization, a place or a profession. */
function isNoun(name: string): boolean {
  if (name.length < 2) return false;
  if (personEnding.test(name) || (name.length > 2 && placeEnding.test(name))) return true;
  return (
    name.length < 5 &&
    (surname.test(name) || wordSurname.test(name)) &&
    hanWords(name).every(({ text }) => text.length === 1)
  );
}

/** A word of the dictionary that names something and no time. */
function isWord(name: string): boolean {
  return !generic.test(name) && hanWords(name).length === 1;
}

const generic =
  /^(?:公司|集团|政府|当局|有关|该|单计|其中|当中|全年|去年|今年|上季|本季|本周|上周|本月|上月|目前|现时|期间|最新|整体|合共|总共|共计|平均|累计|按年|按季|按月|同比|环比|报告|数据|消息|事件|计划)$/u;

/** Surnames that are also words. */
const wordSurname = /^[关高方石金江史田龙段武万任严于白文安申包左季容古易楚]/u;

const personEnding =
  /(?:师|医生|学生|先生|司机|乘客|顾客|旅客|员|者|民|警|兵|总统|总理|主席|主任|秘书|代表|发言人|冠军|队|父亲|母亲|男子|女子|政府|警方|海关|消防|局长|部长|署长|处长|院长|校长|市长|省长|首长)$/u;
const placeEnding =
  /(?:局|部|署|处|厅|会|院|行|司|社|团|党|校|店|厂|市|区|省|县|州|国|岛|湾|山|路|街|道|村|邨|城|站|港)$/u;

/** What the sentence has between the two parts; at an end of the clause, up to the next mark. */
function between(stated: string, left: Chunk | undefined, right: Chunk | undefined): string {
  if (left !== undefined && right !== undefined) {
    const from = left.at + left.text.length;
    const to = stated.indexOf(right.text, from);
    return to === -1 || to - from > 14 ? '' : stated.slice(from, to);
  }
  if (right !== undefined) return /([^,;:。、]*),?$/u.exec(stated.slice(0, right.at))?.[1]?.slice(-20) ?? '';
  return left === undefined
    ? ''
    : (/^[^,;:。、]*/u.exec(stated.slice(left.at + left.text.length))?.[0] ?? '').slice(0, 8);
}
