import { anyRest, anySegment } from './pattern.ts';

/** Patterns by their segments; the value of a pattern is stored at its end. */
export interface PatternTrie<Leaf> {
  literals: Map<string, PatternTrie<Leaf>> | null;
  any: PatternTrie<Leaf> | null;
  /** Of the pattern that ends here. */
  here: Leaf | null;
  /** Of the pattern that continues with `**`. */
  rest: Leaf | null;
}

export function createPatternTrie<Leaf>(): PatternTrie<Leaf> {
  return { literals: null, any: null, here: null, rest: null };
}

/** Creates the path to a pattern's end and updates the value there. */
export function updateLeaf<Leaf>(
  trie: PatternTrie<Leaf>,
  segments: readonly string[],
  change: (leaf: Leaf | null) => Leaf,
): void {
  let node = trie;
  for (const segment of segments) {
    if (segment === anyRest) {
      node.rest = change(node.rest);
      return;
    }
    node = segment === anySegment ? (node.any ??= createPatternTrie()) : literalChild(node, segment);
  }
  node.here = change(node.here);
}

function literalChild<Leaf>(node: PatternTrie<Leaf>, segment: string): PatternTrie<Leaf> {
  node.literals ??= new Map();
  let child = node.literals.get(segment);
  if (child === undefined) {
    child = createPatternTrie();
    // A segment cut from a longer text references that text: a separate copy makes each look-up faster.
    node.literals.set(Buffer.from(segment, 'latin1').toString('latin1'), child);
  }
  return child;
}

/**
 * Collects the leaf of every pattern that covers the given one, segment by segment: `**` covers all remaining
 * segments, `*` covers one segment that is not `**`, a literal covers itself. A path without wildcards is covered by
 * the patterns it matches, so the same walk answers "may I?" and "may I grant?".
 */
export function collectCovering<Leaf>(
  node: PatternTrie<Leaf>,
  segments: readonly string[],
  found: Leaf[],
  index = 0,
): void {
  const segment = segments[index];
  if (segment === undefined) {
    if (node.here !== null) found.push(node.here);
    return;
  }
  if (node.rest !== null) found.push(node.rest);
  if (segment === anyRest) return;
  if (node.any !== null) collectCovering(node.any, segments, found, index + 1);
  if (segment === anySegment || node.literals === null) return;
  const child = node.literals.get(segment);
  if (child !== undefined) collectCovering(child, segments, found, index + 1);
}
