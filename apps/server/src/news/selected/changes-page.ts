import type { Resource } from '../../foundation/cache/representation-cache.ts';
import type { BuiltBody } from '../../foundation/cache/representation.ts';
import { ProblemError } from '../../foundation/problem.ts';
import { recordTopics, setVersion, withBaseUrl } from '../../record/index.ts';
import { jsonBody } from '../json-body.ts';
import { sentInstant } from '../record-instant.ts';
import type { LedgerPosition } from './mirror-position.ts';
import { decodePosition, encodePosition } from './mirror-position.ts';
import { snapshotRequired } from './selected-errors.ts';
import type { ChangeRow, LedgerHeadRow } from './selected-store.ts';
import { readChangeRows } from './selected-store.ts';
import type { SelectedDeps } from './snapshot-page.ts';

export interface ChangesRequest {
  readonly limit: number;
  readonly cursor?: string;
}

export function changesResource(deps: SelectedDeps, { cursor, limit }: ChangesRequest): Resource {
  const after = readCursor(cursor);
  return {
    // Whoever is up to date asks for the same cursor, so one copy answers them all.
    key: `changes ${limit} ${cursor ?? ''}`,
    topics: [recordTopics.selected],
    build: () => buildChangesPage(deps, after, limit),
  };
}

function readCursor(cursor: string | undefined): LedgerPosition {
  if (cursor === undefined) throw new ProblemError(snapshotRequired, 'begin with a snapshot');
  const decoded = decodePosition(cursor);
  if (!decoded.ok) throw new ProblemError(snapshotRequired, 'this cursor cannot be read');
  return decoded.value;
}

async function buildChangesPage(
  { database, baseUrl }: SelectedDeps,
  after: LedgerPosition,
  limit: number,
): Promise<BuiltBody> {
  const { head, rows } = await readChangeRows(database, after.position, limit + 1);
  if (after.epoch !== head.epoch || after.position < 0n || after.position > head.head_position)
    throw new ProblemError(snapshotRequired, 'this cursor belongs to another ledger');
  const shown = rows.slice(0, limit);
  const hasMore = rows.length > limit;
  const position = hasMore ? (shown.at(-1)?.position ?? after.position) : head.head_position;
  const start = JSON.stringify({
    schemaVersion: 1,
    cursor: encodePosition({ epoch: head.epoch, position }),
    count: shown.length,
    hasMore,
  });
  const changes = withBaseUrl(shown.map(presentChange).join(','), baseUrl);
  const set = hasMore ? '' : `,"set":${JSON.stringify(presentSet(head))}`;
  return jsonBody(`${start.slice(0, -1)},"changes":[${changes}]${set}}`);
}

function presentChange({ item_id: id, changed_at: at, body }: ChangeRow): string {
  const changedAt = sentInstant(at);
  if (body === null) return JSON.stringify({ op: 'remove', changedAt, id });
  return `{"op":"upsert","changedAt":"${changedAt}","item":${body}}`;
}

function presentSet(head: LedgerHeadRow): object {
  const hash = BigInt(head.set_hash).toString(16).padStart(64, '0');
  return { version: setVersion, size: Number(head.set_size), hash };
}
