import { boundsConflict } from './bounds.ts';
import { exceeds, isUncertain } from './certainty.ts';
import type { Finding } from './finding.ts';
import type { Quantity } from './language/quantities.ts';
import { agreement } from './language/quantities.ts';
import type { Passage } from './passages.ts';
import type { GroundingSource } from './source.ts';
import type { Slot } from './value-slots.ts';
import { isComparable, isRival, similarity, slotsOf } from './value-slots.ts';

/** A stated slot is compared if it is nearly as similar as the most similar one with the same value. */
const nearBest = 0.8;
/** A rival value must fit the sentence this much better. */
const rivalMargin = 0.12;
const rivalMin = 0.25;

/** A slot below this shares nothing with the claim but its number. */
const unrelated = 0.1;
/** A bound counts as left out only beside words that the source uses too. */
const related = 0.3;

/** Numbers of the sentence that the sources state of something else, with another bound, direction or certainty. */
export function valueFindings(text: string, claim: Passage, sources: readonly GroundingSource[]): Finding[] {
  const isOpen = isUncertain(claim.text);
  const claimed = slotsOf(text, claim, undefined).map((slot) => ({
    slot,
    stated: statedSlots(slot, sources),
  }));
  return claimed.flatMap(({ slot, stated }) => {
    const same = stated.filter((one) => agreement(slot.quantity, one.slot.quantity) === 'yes');
    if (same.length === 0) return [];
    const best = Math.max(...same.map(({ alike }) => alike));
    const nearest = same.filter(({ alike }) => alike >= best * nearBest).map((one) => one.slot);
    const others = claimed.filter((one) => one.slot !== slot);
    const rivals = stated.filter(
      (one) =>
        isRival(slot.quantity, one.slot.quantity) &&
        countsTheSame(slot, one.slot, same) &&
        others
          .filter((other) => agreement(other.slot.quantity, one.slot.quantity) === 'yes')
          .every((other) => bestOf(other, slot.quantity) > bestOf(other, other.slot.quantity)),
    );
    const rival = Math.max(0, ...rivals.map(({ alike }) => alike));
    return [
      ...slotFindings(claim.text, best, slot, nearest, isOpen),
      ...(rival >= rivalMin && rival > best + marginOf(slot, same) ? [finding('value', slot)] : []),
    ];
  });
}

/** A count whose noun the claimed value counts nowhere needs less proof. */
function marginOf(slot: Slot, same: readonly Stated[]): number {
  const isCount = slot.quantity.unit === null && slot.counted.length > 1;
  return isCount && same.every((one) => one.slot.counted !== '' && one.slot.counted !== slot.counted)
    ? 0.03
    : rivalMargin;
}

interface Stated {
  readonly slot: Slot;
  /** How similar its surroundings are to those of the claimed number. */
  readonly alike: number;
}

function statedSlots(slot: Slot, sources: readonly GroundingSource[]): Stated[] {
  return sources.flatMap((source) => {
    const { slots, weightOf } = source.statements();
    return slots()
      .filter((one) => isComparable(slot.quantity, one.quantity))
      .map((one) => ({ slot: one, alike: similarity(slot, one, weightOf) }));
  });
}

/** How well the slots of a value fit a claimed number: two numbers are exchanged if each fits the other's slot better. */
function bestOf({ stated }: { readonly stated: readonly Stated[] }, value: Quantity): number {
  const same = stated.filter((one) => agreement(value, one.slot.quantity) === 'yes');
  return Math.max(0, ...same.map(({ alike }) => alike));
}

/** Numbers without a known unit are rivals only if they count the same noun, which the claimed value counts nowhere. */
function countsTheSame(claimed: Slot, rival: Slot, same: readonly Stated[]): boolean {
  if (claimed.quantity.unit !== null) return true;
  if (
    claimed.role !== '' &&
    claimed.role === rival.role &&
    same.every(({ slot }) => slot.role !== rival.role)
  )
    return true;
  return (
    claimed.counted !== '' &&
    claimed.counted === rival.counted &&
    same.every(({ slot, alike }) => slot.counted !== rival.counted || alike < unrelated)
  );
}

function slotFindings(
  claim: string,
  alike: number,
  slot: Slot,
  nearest: readonly Slot[],
  isOpen: boolean,
): Finding[] {
  const findings: Finding[] = [];
  const isExact = (one: Slot): boolean => slot.quantity.numeral.value === one.quantity.numeral.value;
  const isDropped =
    slot.bound() === 'none' && (alike < related || /上限|最高|maximum|limit|ceiling|cap\b/iu.test(claim));
  if (!isDropped && nearest.every((one) => isExact(one) && boundsConflict(slot.bound(), one.bound())))
    findings.push(finding('bound', slot));
  if (slot.per !== '' && nearest.every((one) => one.per !== '' && one.per !== slot.per))
    findings.push(finding('unit', slot));
  const reversed = [...slot.directions()].some(([pair, sign]) => {
    const signs = nearest.map((one) => one.directions().get(pair)).filter((one) => one !== undefined);
    return signs.length > 0 && signs.every((one) => one !== sign);
  });
  if (reversed) findings.push(finding('opposite', slot));
  if (
    (!isOpen || slot.done()) &&
    slot.plan() === 'none' &&
    nearest.every((one) => exceeds(claim, one.plan()))
  )
    findings.push(finding('certainty', slot));
  return findings;
}

function finding(kind: Finding['kind'], { quantity }: Slot): Finding {
  return { kind, text: quantity.text };
}
