import type { Quantity } from '@daybook/grounding';
import { sameQuantity, sharedWords, statedFacts } from '@daybook/grounding';

import type { Measure } from './measure-names.ts';
import { nameMeasure } from './measure-names.ts';
import type { ReadItem, ReadSentence } from './story-item.ts';
import { byReceipt } from './story-item.ts';

/** The same measure with two values. */
export interface Contradiction {
  /** The first value and the current value. */
  readonly said: Quantity;
  readonly now: Quantity;
  readonly measure: Measure;
  /** Ids, in the order of receipt. Every `earlier` was received before every `later`. */
  readonly earlier: readonly string[];
  readonly later: readonly string[];
}

/** Words by which an item states that another figure was reported before. */
const cue =
  /\b(?:correct(?:ion|ed|s|ing)|retract(?:ion|ed|s)|clarif(?:ies|ied|ication)|amend(?:ed|s|ment)|revis(?:ed|es|ion)|earlier (?:reports?|versions?|coverage|figures?|accounts?)|(?:first|initially|previously|originally) (?:reported|said|stated|wrote|published)|first (?:reports?|article)|contrary to|contradict(?:s|ing|ed)|disput(?:es|ed|ing)|instead of|rather than|(?:and|but|,) not|was wrong|wrong|we regret|the (?:right|correct|actual|true) (?:figure|number|sum|count)|doubts? over|(?:different|new) (?:number|count|figure)|inaccurate|over ?stated|under ?stated|mistake|error)\b|更正|勘误|纠正|写错|有误|误写|误报|不准确|不实|此前.{0,12}(?:报道|流传|写|称|说)|早前.{0,6}报道|先前.{0,6}报道|最初.{0,16}(?:报道|文章|写)|而非|而不是|，不是|, 不是|并非|应为|正确数字|说法不一|与此前|不同数字|重新核算|再起疑问|澄清|修正/iu;

interface Found {
  readonly old: Quantity;
  readonly now: Quantity;
  /** Sentences of the later item with the values. */
  readonly sentences: readonly ReadSentence[];
  readonly at: ReadItem;
}

/**
 * Contradictions by rule. An item contradicts when it says so (a correction, "not", 而非) and gives, beside a figure of
 * earlier items, another one that they did not have; or when it repeats an earlier sentence with another figure. A
 * figure that merely grows, or that rounds another, is not a contradiction.
 */
export function findContradictions(items: readonly ReadItem[]): Contradiction[] {
  const ordered = items.filter(isWitness).sort(byReceipt);
  const found = ordered.flatMap((item, at) => {
    const before = ordered.slice(0, at);
    return [...openly(item, before), ...sideBySide(item, before), ...silently(item, before)];
  });
  return merge(found, ordered);
}

/** Aggregators and communities repeat the reports of others, and confuse their figures. */
function isWitness({ item: { tier, firstParty } }: ReadItem): boolean {
  return tier < 4 || firstParty;
}

/** Contradictions that the item states explicitly. */
function openly(item: ReadItem, before: readonly ReadItem[]): Found[] {
  const { sentences } = item;
  const cued = sentences.flatMap(({ text }, at) => (cue.test(text) ? [at] : []));
  // A correction is announced in the title or the first sentences; later, "not" denies something else.
  const near = sentences.filter((_, at) => at < 4 && cued.some((one) => one < 4 && Math.abs(one - at) <= 1));
  const stated = near.flatMap((sentence) => sentence.quantities.map((quantity) => ({ quantity, sentence })));
  return stated.flatMap(({ quantity: now, sentence }) => {
    if (isStated(now, before) || isTrivial(now)) return [];
    const old = stated.find(
      ({ quantity }) =>
        isComparable(quantity, now) && !sameQuantity(quantity, now) && isStated(quantity, before),
    );
    return old === undefined
      ? []
      : [{ old: old.quantity, now, sentences: [sentence, old.sentence], at: item }];
  });
}

/** Words between two figures of one sentence that set them against each other, and words that attribute them. */
const contrast =
  /\b(?:while|whereas|but|yet|versus|vs\.?|against|although|though|however|in contrast|disagrees?)\b|而|但|却|则/iu;
const attribution =
  /\b(?:says?|said|claims?|claimed|counts?|counted|reports?|reported|puts?|according to|estimates?|estimated|wrote|writes|measured|gives?|gave|cites?|cited)\b|称|表示|报道|统计|测得|据|写道|给出/iu;
/** A change over time, not two accounts of one value. */
const change =
  /\b(?:from|up|down|rose|fell|grew|increas\w*|decreas\w*|compared|year|quarter|month|last|previous|next)\b|增至|降至|上升|下降|增长|同比|环比|去年|上季|上月/iu;

/** Two accounts in one sentence: a figure of earlier items, and against it another one that they did not have. */
function sideBySide(item: ReadItem, before: readonly ReadItem[]): Found[] {
  return item.sentences.flatMap((sentence): Found[] => {
    const { text, quantities } = sentence;
    if (quantities.length !== 2 || change.test(text)) return [];
    const [one, other] = quantities as [Quantity, Quantity];
    if (one.unit === null || !isComparable(one, other) || sameQuantity(one, other)) return [];
    const between = text.slice(text.indexOf(one.text) + one.text.length, text.lastIndexOf(other.text));
    if (!contrast.test(between) || !attribution.test(text)) return [];
    const [old, now] = isStated(one, before) ? [one, other] : [other, one];
    if (!isStated(old, before) || isStated(now, before)) return [];
    return [{ old, now, sentences: [sentence], at: item }];
  });
}

/** Contradictions without a statement: nearly the same sentence as an earlier one, with another figure. */
function silently(item: ReadItem, before: readonly ReadItem[]): Found[] {
  const own = item.sentences.filter(({ quantities }) => quantities.length === 1);
  return own.flatMap((sentence) => {
    const [now] = sentence.quantities;
    if (now === undefined || isTrivial(now) || isStated(now, before)) return [];
    for (const earlier of before) {
      if (earlier.item.language.slice(0, 2) !== item.item.language.slice(0, 2)) continue;
      if (isOtherCopy(earlier, item)) continue;
      for (const other of earlier.sentences) {
        const [old] = other.quantities;
        if (old === undefined || other.quantities.length !== 1) continue;
        if (!isComparable(old, now) || sameQuantity(old, now) || old.unit === null) continue;
        const { share, count } = sharedWords(sentence.words, other.words);
        if (share >= 0.8 && count >= 5) return [{ old, now, sentences: [sentence], at: item }];
      }
    }
    return [];
  });
}

/** Another publisher's copy of one text: an editor's change there is not a second report. */
function isOtherCopy({ item: one }: ReadItem, { item: other }: ReadItem): boolean {
  return one.voice === other.voice && one.owner !== other.owner;
}

function isStated(quantity: Quantity, items: readonly ReadItem[]): boolean {
  return items.some((item) => states(item, quantity));
}

function states(item: ReadItem, quantity: Quantity): boolean {
  return stating(item, quantity).length > 0;
}

/** The sentences with this value. */
function stating({ sentences }: ReadItem, quantity: Quantity): readonly ReadSentence[] {
  return sentences.filter(({ quantities }) =>
    quantities.some((one) => isComparable(one, quantity) && sameQuantity(one, quantity)),
  );
}

/** Whether a sentence gives this value. */
export function statesValue(sentence: string, value: Quantity): boolean {
  return statedFacts(sentence).quantities.some((one) => isComparable(one, value) && sameQuantity(one, value));
}

/** Units agree, or one of them is not stated: 165 of "165 others" is 165 名同事. */
function isComparable(one: Quantity, other: Quantity): boolean {
  if (one.unit === null || other.unit === null)
    return one.unit === other.unit || isPeople(one.unit ?? other.unit);
  return one.unit.dimension === other.unit.dimension || (isPeople(one.unit) && isPeople(other.unit));
}

function isPeople(unit: Quantity['unit']): boolean {
  return unit !== null && /^(?:person|employee|user)$/u.test(unit.dimension);
}

/** "Two people say" is not a figure of the event. */
function isTrivial({ numeral, unit }: Quantity): boolean {
  return (unit === null || isPeople(unit)) && numeral.value <= 3;
}

/** One record for each pair of values, with the items that repeated each value. */
function merge(found: readonly Found[], ordered: readonly ReadItem[]): Contradiction[] {
  const merged: Contradiction[] = [];
  const seen: Found[] = [];
  for (const one of found) {
    if (seen.some((other) => sameQuantity(other.old, one.old) && sameQuantity(other.now, one.now))) continue;
    seen.push(one);
    const turn = ordered.indexOf(one.at);
    const earlier = ordered.slice(0, turn).filter((item) => states(item, one.old));
    const later = ordered.slice(turn).filter((item) => states(item, one.now));
    merged.push({
      said: one.old,
      now: one.now,
      measure: nameMeasure(
        [one.now, one.old],
        [...one.sentences, ...earlier.flatMap((item) => stating(item, one.old))].map(({ text }) => text),
        { before: earlier, later: one.at },
      ),
      earlier: earlier.map(({ item }) => item.id),
      later: later.map(({ item }) => item.id),
    });
  }
  return merged;
}
