import type { Resource } from '../../foundation/cache/representation-cache.ts';
import type { BuiltBody } from '../../foundation/cache/representation.ts';
import { ProblemError } from '../../foundation/problem.ts';
import type { recorded } from '../../record/index.ts';
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
}

export function changesResource(deps: SelectedDeps, { cursor, limit }: ChangesRequest): Resource {
  const after = readCursor(cursor);
  return {
    // All mirrors that are up to date send the same cursor, so one copy answers them all.
    key: `changes ${limit} ${cursor ?? ''}`,
    cacheTags: [recordCacheTags.selected],
    build: () => buildChangesPage(deps, after, limit),
  };
}

function readCursor(cursor: string | undefined): LedgerPosition {
  if (cursor === undefined) throw new ProblemError(snapshotRequired, 'Download a snapshot first.');
  const decoded = decodePosition(cursor);
  if (!decoded.ok) throw new ProblemError(snapshotRequired, 'The cursor is malformed.');
  return decoded.value;
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

function presentChange({ itemId, changedAt: at, body }: recorded.LedgerChangeRead): string {
  const changedAt = formatInstant(at);
  if (body === null) return JSON.stringify({ op: 'remove', changedAt, id: itemId });
  return `{"op":"upsert","changedAt":"${changedAt}","item":${body}}`;
}
