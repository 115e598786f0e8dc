import type { DatabaseSync } from 'node:sqlite';

import type { Target } from '../targets/target.ts';

/** A pending chunk as a question about many shows it. */
export interface GroupedChunk {
  readonly id: string;
  readonly source: string;
  readonly target: Target;
  /** Set if the user has chosen the target for an earlier version. */
  readonly chosen: Target | null;
  readonly confidence: number;
  readonly reason: string;
  /** The kind of evidence; empty if unknown. */
  readonly basis: string;
  /** The beginning of its text. */
  readonly opening: string;
}

/** Pending chunks that go to one target, and the folders they come from. */
export interface ChunkGroup {
  readonly target: Target;
  readonly confidence: number;
  readonly chunks: readonly GroupedChunk[];
  readonly folders: ReadonlyMap<string, number>;
}

/** Chunks for the identity file and rules for agents are reviewed one by one. */
export const askedSingly = ['PRINCIPAL_IDENTITY', 'AI_RULES'] as const;
/** UNCLEAR has no target to ask about. */
const single: ReadonlySet<string> = new Set<Target>([...askedSingly, 'UNCLEAR']);
const openingChars = 300;

/** The most certain group first. Chunks that replace committed text, and those left out, are not among them. */
export function readGroups(
  database: DatabaseSync,
  leftOut: ReadonlySet<string> = new Set(),
): readonly ChunkGroup[] {
  const rows = database
    .prepare(
      `select id, source, chosen, coalesce(chosen, proposed) as target, confidence, reasons, basis, substr(text, 1, ?) as opening
         from chunk where state = 'scanned' and replaces is null order by ordinal`,
    )
    .all(openingChars);
  const chunks = rows.map((row) => ({
    id: String(row['id']),
    source: String(row['source']),
    target: String(row['target']) as Target,
    chosen: row['chosen'] as Target | null,
    confidence: Number(row['confidence']),
    reason: (JSON.parse(String(row['reasons'])) as readonly string[])[0] ?? '',
    basis: String(row['basis'] ?? ''),
    opening: String(row['opening']),
  }));
  const routed = chunks.filter(({ id, target }) => !single.has(target) && !leftOut.has(id));
  return Array.from(Map.groupBy(routed, ({ target }) => target).values(), groupOf).sort(
    (one, other) => other.confidence - one.confidence || other.chunks.length - one.chunks.length,
  );
}

/** The parts of a group by folder, the largest first. */
export function groupsByFolder({ chunks }: ChunkGroup): readonly ChunkGroup[] {
  return Array.from(Map.groupBy(chunks, ({ source }) => folderOf(source)).values(), groupOf).sort(
    (one, other) => other.chunks.length - one.chunks.length,
  );
}

function groupOf(chunks: readonly GroupedChunk[]): ChunkGroup {
  const folders = new Map<string, number>();
  for (const { source } of chunks) folders.set(folderOf(source), (folders.get(folderOf(source)) ?? 0) + 1);
  const sum = chunks.reduce((total, { confidence }) => total + confidence, 0);
  return {
    target: chunks[0]?.target ?? 'UNCLEAR',
    confidence: sum / Math.max(chunks.length, 1),
    chunks,
    folders: new Map([...folders].sort(([, one], [, other]) => other - one)),
  };
}

/** The folder of a note, with a slash; the top has none. */
export function folderOf(source: string): string {
  const at = source.lastIndexOf('/');
  return at === -1 ? 'the top folder' : source.slice(0, at + 1);
}

const examplesMax = 3;

/** Examples from as many folders and kinds of evidence as possible, the largest first; else spread over the group. */
export function examplesOf({ chunks }: ChunkGroup): readonly GroupedChunk[] {
  const kinds = Array.from(
    Map.groupBy(chunks, ({ source, basis }) => `${basis} ${folderOf(source)}`).values(),
  ).sort((one, other) => other.length - one.length);
  const places = [0, Math.floor(chunks.length / 2), chunks.length - 1];
  const candidates = [
    ...kinds.map((kind) => kind[Math.floor(kind.length / 2)]),
    ...places.map((at) => chunks[at]),
    ...chunks.slice(0, examplesMax),
  ];
  const examples = new Set(candidates.filter((one) => one !== undefined));
  return [...examples].slice(0, examplesMax);
}
