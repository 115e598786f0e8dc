/** A part of a text that two versions share, or that one of them has. */
export interface WordChange {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
}

/** Words, spaces, and Chinese text sign by sign. */
const parts = /\s+|\p{Script=Han}|[^\s\p{Script=Han}]+/gu;
/** The comparison takes the product of both numbers. */
const partsMax = 800;

/** What changed from one wording to another, word by word. Very long wordings are compared as a whole. */
export function wordChanges(before: string, after: string): readonly WordChange[] {
  const [one, other] = [before.match(parts) ?? [], after.match(parts) ?? []];
  const start = one.findIndex((part, at) => part !== other[at]);
  const common = start === -1 ? Math.min(one.length, other.length) : start;
  let end = 0;
  while (end < Math.min(one.length, other.length) - common && one.at(-1 - end) === other.at(-1 - end))
    end += 1;
  const [from, to] = [one.slice(common, one.length - end), other.slice(common, other.length - end)];
  return joined([
    ...one.slice(0, common).map((text) => ({ kind: 'same' as const, text })),
    ...(from.length > partsMax || to.length > partsMax ? replaced(from, to) : aligned(from, to)),
    ...one.slice(one.length - end).map((text) => ({ kind: 'same' as const, text })),
  ]);
}

function replaced(from: readonly string[], to: readonly string[]): readonly WordChange[] {
  return [
    ...from.map((text) => ({ kind: 'removed' as const, text })),
    ...to.map((text) => ({ kind: 'added' as const, text })),
  ];
}

/** By the longest common subsequence. */
function aligned(from: readonly string[], to: readonly string[]): readonly WordChange[] {
  const width = to.length + 1;
  const lengths = new Uint16Array((from.length + 1) * width);
  const at = (row: number, column: number): number => lengths[row * width + column] ?? 0;
  for (let row = from.length - 1; row >= 0; row -= 1)
    for (let column = to.length - 1; column >= 0; column -= 1)
      lengths[row * width + column] =
        from[row] === to[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
  const changes: WordChange[] = [];
  let [row, column] = [0, 0];
  while (row < from.length || column < to.length) {
    const [removed, added] = [from[row], to[column]];
    if (removed !== undefined && removed === added) {
      changes.push({ kind: 'same', text: removed });
      row += 1;
      column += 1;
    } else if (removed !== undefined && (added === undefined || at(row + 1, column) >= at(row, column + 1))) {
      changes.push({ kind: 'removed', text: removed });
      row += 1;
    } else {
      changes.push({ kind: 'added', text: added ?? '' });
      column += 1;
    }
  }
  return changes;
}

/** Neighbours of one kind are one change. */
function joined(changes: readonly WordChange[]): readonly WordChange[] {
  const result: WordChange[] = [];
  for (const change of changes) {
    const last = result.at(-1);
    if (last?.kind === change.kind) result[result.length - 1] = { ...last, text: last.text + change.text };
    else result.push(change);
  }
  return result;
}
