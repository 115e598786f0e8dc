import type { Bound } from './bounds.ts';
import { boundOf } from './bounds.ts';
import type { Plan } from './certainty.ts';
import { isDone, planOf } from './certainty.ts';
import { dateKey } from './dates.ts';
import { once } from './language/once.ts';
import type { Span } from './language/plain-text.ts';
import type { Quantity } from './language/quantities.ts';
import { agreement } from './language/quantities.ts';
import { stemOf } from './language/text-tokens.ts';
import type { Passage } from './passages.ts';

/** The side of a pair of opposites; 0 if a word says that nothing changed. */
type Sign = 1 | -1 | 0;

/** A number with what its sentence says of it. */
export interface Slot {
  readonly quantity: Quantity;
  readonly bound: () => Bound;
  /** Pair of opposites → the side that governs the number. */
  readonly directions: () => ReadonlyMap<string, Sign>;
  /** How the clause presents the event. */
  readonly plan: () => Plan;
  /** The clause says that the event has taken place. */
  readonly done: () => boolean;
  /** Key of a word → how near it is to the number, at most 1. */
  readonly context: () => ReadonlyMap<string, number>;
  /** The word directly after the number. */
  readonly counted: string;
  /** The unit after a stroke: $0.03/kWh. */
  readonly per: string;
  /** The word that gives the number its role: from, to, by. */
  readonly role: string;
}

/** Pairs of opposites that say how a number changed or what it counts. */
const governing = new Set(
  'rise profit buy beat premium import surplus widen inflow inject win kill majority old'.split(' '),
);

const steady =
  /(?:维持|保持|持平|不变|企稳|\b(?:unchanged|steady|flat|maintain(?:s|ed)?|held|holds|stayed|stays|kept)\b)[^,;]*$/iu;

/** Reads the slots of a passage; `previous` is the sentence before, which often names the subject. */
export function slotsOf(text: string, passage: Passage, previous: Passage | undefined): Slot[] {
  return passage.quantities.map((quantity) => {
    const clause = clauseOf(passage, quantity);
    return {
      quantity,
      bound: once(() => boundOf(text, quantity)),
      directions: once(() => directionsOf(text, passage, quantity, clause)),
      plan: once(() => planOf(text.slice(clause.start, quantity.start), clauseBefore(text, passage, clause))),
      done: once(() => isDone(text.slice(clause.start, quantity.start))),
      context: once(() => contextOf(text, passage, quantity, clause, previous)),
      per: /^\/(\p{L}+)/u.exec(text.slice(quantity.end, quantity.end + 12))?.[1]?.toLowerCase() ?? '',
      role: roleOf(text, quantity),
      counted: countedAfter(text.slice(quantity.end, quantity.end + 24)),
    };
  });
}

export function clauseOf(passage: Passage, { start }: Span): Span {
  return passage.clauses.findLast((clause) => clause.start <= start) ?? passage;
}

function countedAfter(text: string): string {
  const [, latin, han] = /^[ -]?(?:(\p{Script=Latin}+)|(\p{Script=Han}{1,2}))/u.exec(text) ?? [];
  return latin === undefined ? (han ?? '') : stemOf(latin);
}

function clauseBefore(text: string, { clauses }: Passage, clause: Span): string {
  const before = clauses[clauses.findIndex((one) => one === clause) - 1];
  return before === undefined ? '' : text.slice(before.start, before.end);
}

function directionsOf(
  text: string,
  passage: Passage,
  quantity: Quantity,
  clause: Span,
): ReadonlyMap<string, Sign> {
  const near = passage.opposites.filter(
    (one) =>
      governing.has(one.pair) &&
      one.start >= clause.start &&
      one.end <= Math.max(clause.end, quantity.end) + 1 &&
      (one.pair !== 'kill' || isPeople(quantity)) &&
      !isBoundWord(text, one, quantity),
  );
  const directions = new Map<string, Sign>();
  if (steady.test(text.slice(clause.start, quantity.start))) directions.set('rise', 0);
  const between = passage.quantities.filter((one) => one !== quantity);
  for (const one of near.filter(({ end }) => end <= quantity.start)) directions.set(one.pair, one.sign);
  for (const one of near
    .filter(({ start }) => start >= quantity.end && start - quantity.end < 30)
    .reverse()) {
    const crosses = between.some(({ start }) => start > quantity.end && start < one.start);
    if (!crosses && (!directions.has(one.pair) || one.start - quantity.end < 3))
      directions.set(one.pair, one.sign);
  }
  return directions;
}

function isPeople({ unit }: Quantity): boolean {
  return unit === null || unit.dimension === 'person';
}

/** "More than 300" and "up to 300" limit the number; nothing rises. */
function isBoundWord(text: string, { start, end }: Span, quantity: Quantity): boolean {
  // "Four more places" are additional ones.
  if (start >= quantity.end) return /^more$/iu.test(text.slice(start, end)) && !text.startsWith(' than', end);
  const gap = text.slice(end, quantity.start);
  if (gap.length > 24) return false;
  return (
    gap.startsWith(' than ') || (gap.startsWith(' to ') && text.slice(start, end).toLowerCase() === 'up')
  );
}

function contextOf(
  text: string,
  passage: Passage,
  quantity: Quantity,
  clause: Span,
  previous: Passage | undefined,
): ReadonlyMap<string, number> {
  const context = new Map<string, number>();
  const add = (key: string, weight: number): void => {
    context.set(key, Math.max(weight, context.get(key) ?? 0));
  };
  for (const { key } of previous?.tokens ?? []) add(key, 0.1);
  const at = passage.tokens.findLastIndex(({ start }) => start < quantity.start);
  passage.tokens.forEach(({ key, start, end }, index) => {
    const distance = index <= at ? at - index : index - at - 1;
    const inClause = start >= clause.start && end <= clause.end;
    add(key, (inClause ? 1 : 0.4) / (1 + distance / 6));
  });
  for (const other of passage.quantities) if (other !== quantity) add(`#${other.numeral.value}`, 0.3);
  for (const date of passage.dates) {
    const inClause = date.start >= clause.start && date.end <= clause.end;
    add(dateKey(date), inClause ? 1 : 0.4);
  }
  for (const [pair, sign] of directionsOf(text, passage, quantity, clause)) add(`~${pair}${sign}`, 1);
  const role = roleOf(text, quantity);
  if (role !== '') add(`<${role}`, 2);
  return context;
}

function roleOf(text: string, { start }: Quantity): string {
  const head =
    /(?:\b(from|to|by)|(至|到|由|从|报|见))(?: (?:an?|the|about|nearly|over|just|around|only|almost))? ?[约近逾]?[$€£¥]?$/iu.exec(
      text.slice(Math.max(0, start - 18), start),
    );
  return head === null ? '' : (rolesOf.get(head[2] ?? '') ?? (head[1] ?? head[2] ?? '').toLowerCase());
}

const rolesOf: ReadonlyMap<string, string> = new Map([
  ['至', 'to'],
  ['到', 'to'],
  ['由', 'from'],
  ['从', 'from'],
]);

/** The share of the words around a claimed number that are around the stated one too. */
export function similarity(claimed: Slot, stated: Slot, weightOf: (key: string) => number): number {
  let [shared, total] = [0, 0];
  const around = stated.context();
  for (const [key, near] of claimed.context()) {
    const weight = weightOf(key);
    total += weight * near;
    shared += weight * Math.min(near, around.get(key) ?? 0);
  }
  return total === 0 ? 0 : shared / total;
}

/** Whether the two numbers can be the same value or rivals. */
export function isComparable(claimed: Quantity, stated: Quantity): boolean {
  return claimed.unit?.dimension === stated.unit?.dimension || agreement(claimed, stated) === 'yes';
}

/** A rival states another value in the same unit. */
export function isRival(claimed: Quantity, stated: Quantity): boolean {
  return claimed.unit?.dimension === stated.unit?.dimension && agreement(claimed, stated) !== 'yes';
}
