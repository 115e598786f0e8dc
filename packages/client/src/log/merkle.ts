import { hashAtOnce } from '../hash-at-once.ts';

/** Merkle trees of RFC 9162, section 2.1. Works in browsers, Node, Bun and Deno. */
export type Hash = Uint8Array<ArrayBuffer>;

export const hashBytes = 32;

const leafPrefix = 0;
const nodePrefix = 1;

export async function sha256(...parts: readonly Uint8Array[]): Promise<Hash> {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  if (hashAtOnce !== undefined) return hashAtOnce('sha256', bytes, 'buffer');
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
}

export function leafHash(leaf: Uint8Array): Promise<Hash> {
  return sha256(Uint8Array.of(leafPrefix), leaf);
}

export function nodeHash(left: Uint8Array, right: Uint8Array): Promise<Hash> {
  return sha256(Uint8Array.of(nodePrefix), left, right);
}

/** The root of a tree without leaves. */
export function emptyRoot(): Promise<Hash> {
  return sha256();
}

export interface InclusionClaim {
  readonly index: number;
  /** The number of leaves of the tree. */
  readonly size: number;
  readonly leaf: Uint8Array;
  readonly proof: readonly Uint8Array[];
}

/** The root that a proof leads to (section 2.1.3.2); null if the proof cannot belong to this leaf and tree. */
export async function rootOfInclusion({ index, size, leaf, proof }: InclusionClaim): Promise<Hash | null> {
  if (!Number.isSafeInteger(index) || !Number.isSafeInteger(size) || index < 0 || index >= size) return null;
  let path: Path = { node: index, last: size - 1 };
  let root = await leafHash(leaf);
  for (const sibling of proof) {
    if (path.last === 0 || sibling.length !== hashBytes) return null;
    if (isRightOrLast(path)) {
      root = await nodeHash(sibling, root);
      path = climbToRightChild(path);
    } else {
      root = await nodeHash(root, sibling);
    }
    path = parentOf(path);
  }
  return path.last === 0 ? root : null;
}

export async function isIncluded(claim: InclusionClaim, root: Uint8Array): Promise<boolean> {
  const found = await rootOfInclusion(claim);
  return found !== null && equalBytes(found, root);
}

export interface TreeHead {
  readonly size: number;
  readonly root: Uint8Array;
}

/** Whether the second tree begins with all leaves of the first (section 2.1.4.2). */
export async function isConsistent(
  first: TreeHead,
  second: TreeHead,
  proof: readonly Uint8Array[],
): Promise<boolean> {
  if (!isSize(first.size) || !isSize(second.size) || first.size > second.size) return false;
  if (first.size === second.size) return proof.length === 0 && equalBytes(first.root, second.root);
  if (first.size === 0) return proof.length === 0 && equalBytes(first.root, await emptyRoot());
  const [start, ...siblings] = isPowerOfTwo(first.size) ? [first.root, ...proof] : proof;
  if (start === undefined) return false;
  let path = skipRightChildren({ node: first.size - 1, last: second.size - 1 });
  let [inFirst, inSecond]: [Uint8Array, Uint8Array] = [start, start];
  for (const sibling of siblings) {
    if (path.last === 0 || sibling.length !== hashBytes) return false;
    if (isRightOrLast(path)) {
      [inFirst, inSecond] = [await nodeHash(sibling, inFirst), await nodeHash(sibling, inSecond)];
      path = climbToRightChild(path);
    } else {
      inSecond = await nodeHash(inSecond, sibling);
    }
    path = parentOf(path);
  }
  return path.last === 0 && equalBytes(inFirst, first.root) && equalBytes(inSecond, second.root);
}

/** A node on the way to the root, and the last node of its level. */
interface Path {
  readonly node: number;
  readonly last: number;
}

const isOdd = (value: number): boolean => value % 2 === 1;

function parentOf({ node, last }: Path): Path {
  return { node: Math.floor(node / 2), last: Math.floor(last / 2) };
}

function isRightOrLast({ node, last }: Path): boolean {
  return isOdd(node) || node === last;
}

/** The last node of a level can have no sibling: its hash moves up unchanged. */
function climbToRightChild(path: Path): Path {
  let climbed = path;
  while (!isOdd(climbed.node) && climbed.node !== 0) climbed = parentOf(climbed);
  return climbed;
}

function skipRightChildren(path: Path): Path {
  let climbed = path;
  while (isOdd(climbed.node)) climbed = parentOf(climbed);
  return climbed;
}

function isSize(size: number): boolean {
  return Number.isSafeInteger(size) && size >= 0;
}

function isPowerOfTwo(size: number): boolean {
  return Number.isInteger(Math.log2(size));
}

export function equalBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}
