import type { Resource } from '../../foundation/cache/representation-cache.ts';
import type { BuiltBody } from '../../foundation/cache/representation.ts';
import { invalidField } from '../../foundation/http/http-problems.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { parseIsoDatetime } from '../../foundation/instant.ts';
import { ProblemError } from '../../foundation/problem.ts';
import type { RecordReader } from '../../record/index.ts';
import { items, recordCacheTags } from '../../record/index.ts';
import { jsonBody, formatInstant } from '../json-body.ts';
import type { LedgerPosition } from './mirror-position.ts';
import { decodePosition, encodePosition } from './mirror-position.ts';
import { presentSet } from './present-set.ts';
import { snapshotRequired } from './selected-errors.ts';
import type { SelectedDeps } from './snapshot-representation.ts';

export interface ChangesRequest {
  readonly limit: number;
  readonly cursor?: string;
  readonly since?: string;
}

export function changesResource(deps: SelectedDeps, { cursor, since, limit }: ChangesRequest): Resource {
  const start = readStart(cursor, since);
  return {
    // All mirrors that are up to date send the same cursor, so one copy answers them all.
    key: `changes ${limit} ${cursor ?? ''} ${typeof start === 'bigint' ? start : ''}`,
    cacheTags: [recordCacheTags.selected],
    build: async () => {
      const after = typeof start === 'bigint' ? await deps.record.positionBefore(start) : start;
      return buildChangesPage(deps, after, limit);
    },
  };
}

/** A position, or a time. */
function readStart(
  cursor: string | undefined,
  since: string | undefined,
): LedgerPosition | EpochMicroseconds {
  if (since !== undefined && cursor !== undefined)
    throw invalidField('since', 'cannot be combined with cursor', 'query');
  if (since !== undefined) return readTime(since);
  if (cursor === undefined) throw new ProblemError(snapshotRequired, 'Download a snapshot first.');
  const decoded = decodePosition(cursor);
  if (!decoded.ok) throw new ProblemError(snapshotRequired, 'The cursor is malformed.');
  return decoded.value;
}

function readTime(since: string): EpochMicroseconds {
  const parsed = parseIsoDatetime(since);
  if (parsed.ok) return parsed.value;
  throw invalidField('since', 'must be a time such as 2026-11-15T08:00:00Z', 'query');
}

async function buildChangesPage(
  { record, baseUrl }: SelectedDeps,
  after: LedgerPosition,
  limit: number,
): Promise<BuiltBody> {
  const { head, changes } = await record.changesPage(after.position, limit + 1);
  if (after.epoch !== head.epoch || after.position < 0n || after.position > head.position)
    throw new ProblemError(snapshotRequired, 'The cursor belongs to another ledger.');
  const shown = changes.slice(0, limit);
  const hasMore = changes.length > limit;
  const position = hasMore ? (shown.at(-1)?.position ?? after.position) : head.position;
  const start = JSON.stringify({
    schemaVersion: 1,
    cursor: encodePosition({ epoch: head.epoch, position }),
    count: shown.length,
    hasMore,
  });
  const sent = items.withBaseUrl(shown.map(presentChange).join(','), baseUrl);
  const set = hasMore ? '' : `,"set":${JSON.stringify(presentSet(head))}`;
  return jsonBody(`${start.slice(0, -1)},"changes":[${sent}]${set}}`);
}

type Change = Awaited<ReturnType<RecordReader['changesPage']>>['changes'][number];

function presentChange({ itemId, changedAt: at, body }: Change): string {
  const changedAt = formatInstant(at);
  if (body === null) return JSON.stringify({ op: 'remove', changedAt, id: itemId });
  return `{"op":"upsert","changedAt":"${changedAt}","item":${body}}`;
}
