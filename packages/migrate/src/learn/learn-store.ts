import type { DatabaseSync } from 'node:sqlite';

import type { Target } from '../targets/target.ts';
import type { Example, LearnableChunk, Proposal, ScannedProposal } from './learned-layer.ts';
import { openingChars, traitsOf } from './note-traits.ts';

/** A decision of the user about a chunk. */
export interface Decision {
  readonly chunk: string;
  readonly target: Target;
  readonly weight: number;
}

/** A pending chunk with its proposal as it is now. */
export interface PendingChunk extends LearnableChunk {
  readonly now: { readonly target: Target; readonly confidence: number; readonly firstAlternative: string };
  readonly reasons: readonly string[];
}

type Row = Record<string, unknown>;

const scanned = ['proposed', 'confidence', 'reasons', 'alternatives']
  .map((name) => `coalesce(scanned_proposal.${name}, chunk.${name}) as scanned_${name}`)
  .join(', ');
const columns = `chunk.id, chunk.source, chunk.headings, chunk.tags, chunk.basis,
  substr(chunk.text, 1, ${openingChars}) as opening, ${scanned}`;
const joined = 'chunk left join scanned_proposal on scanned_proposal.chunk = chunk.id';
/** Newer versions of committed text and notes that the user has sent elsewhere are not proposed again. */
const pending = "chunk.state in ('scanned', 'unclear') and chunk.chosen is null and chunk.replaces is null";
/** The newest decisions count: an older habit gives way. */
const examplesMax = 400;

export function saveExamples(database: DatabaseSync, decisions: readonly Decision[]): void {
  const insert = database.prepare('insert or replace into example (chunk, target, weight) values (?, ?, ?)');
  for (const { chunk, target, weight } of decisions) insert.run(chunk, target, weight);
}

/** An example of a chunk that is undecided again, or deleted, is no longer a decision. */
export function dropUndoneExamples(database: DatabaseSync): void {
  database.exec(
    `delete from example where chunk not in
       (select id from chunk where state in ('approved', 'modified', 'committed'))`,
  );
}

export function hasLearned(database: DatabaseSync): boolean {
  const row = database
    .prepare('select exists (select 1 from example) or exists (select 1 from scanned_proposal) as found')
    .get();
  return Number(row?.['found']) === 1;
}

export function readExamples(database: DatabaseSync): readonly Example[] {
  const rows = database
    .prepare(
      `select ${columns}, example.target, example.weight from ${joined} join example on example.chunk = chunk.id
         order by example.ordinal desc limit ?`,
    )
    .all(examplesMax);
  return rows
    .reverse()
    .map((row) => ({ ...toLearnable(row), decided: row['target'] as Target, weight: Number(row['weight']) }));
}

/** `known` has the chunks of an earlier call, whose traits are not read again. */
export function* readPending(
  database: DatabaseSync,
  known: Map<string, LearnableChunk>,
): Generator<PendingChunk> {
  const select = database.prepare(
    `select chunk.ordinal, chunk.proposed, chunk.confidence, chunk.alternatives, ${columns}
       from ${joined} where ${pending} and chunk.ordinal > ? order by chunk.ordinal limit 500`,
  );
  let after = 0;
  for (;;) {
    const rows = select.all(after);
    for (const row of rows) {
      const learnable = known.get(String(row['id'])) ?? toLearnable(row);
      known.set(learnable.id, learnable);
      yield {
        ...learnable,
        now: {
          target: row['proposed'] as Target,
          confidence: Number(row['confidence']),
          firstAlternative: alternativesIn(row['alternatives'])[0]?.target ?? '',
        },
        reasons: JSON.parse(String(row['scanned_reasons'])) as readonly string[],
      };
    }
    const last = rows.at(-1);
    if (last === undefined) return;
    after = Number(last['ordinal']);
  }
}

/** Stores what the scan proposed beside the learned proposal; that of the scan itself is put back. */
export function saveProposal(database: DatabaseSync, chunk: PendingChunk, proposal: Proposal): void {
  const reasons = proposal.reason === null ? chunk.reasons : [proposal.reason, ...chunk.reasons];
  database
    .prepare(
      `insert or ignore into scanned_proposal select id, proposed, confidence, reasons, alternatives
         from chunk where id = ?`,
    )
    .run(chunk.id);
  database
    .prepare('update chunk set proposed = ?, confidence = ?, reasons = ?, alternatives = ? where id = ?')
    .run(
      proposal.target,
      proposal.confidence,
      JSON.stringify(reasons),
      JSON.stringify(proposal.alternatives),
      chunk.id,
    );
  const { target, confidence, alternatives } = chunk.scanned;
  const isScanned = JSON.stringify(proposal.alternatives) === JSON.stringify(alternatives);
  if (isScanned && proposal.target === target && proposal.confidence === confidence)
    database.prepare('delete from scanned_proposal where chunk = ?').run(chunk.id);
}

function toLearnable(row: Row): LearnableChunk {
  const proposed = row['scanned_proposed'] as Target;
  const basis = row['basis'] as string | null;
  return {
    id: String(row['id']),
    basis,
    scanned: {
      target: proposed,
      confidence: Number(row['scanned_confidence']),
      alternatives: alternativesIn(row['scanned_alternatives']),
    },
    traits: traitsOf({
      source: String(row['source']),
      headings: JSON.parse(String(row['headings'])) as readonly string[],
      tags: JSON.parse(String(row['tags'])) as readonly string[],
      proposed,
      basis,
      opening: String(row['opening']),
    }),
  };
}

function alternativesIn(value: unknown): ScannedProposal['alternatives'] {
  return JSON.parse(String(value)) as ScannedProposal['alternatives'];
}
