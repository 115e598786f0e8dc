import type pg from 'pg';

import type { BuiltBody } from '../../foundation/cache/representation.ts';
import type { Database } from '../../foundation/database/database.ts';
import { fromTimestamptz } from '../../foundation/database/timestamptz.ts';
import { invalidCursor } from '../../foundation/http/http-problems.ts';
import { epochMicroseconds, isEpochMicroseconds, isoMilliseconds } from '../../foundation/instant.ts';
import { ProblemError } from '../../foundation/problem.ts';
import { recordTopics, withBaseUrl } from '../../record/index.ts';
import { jsonBody } from '../json-body.ts';
import type { UnkeptResource } from '../news-route.ts';
import type { SnapshotPlace } from './mirror-position.ts';
import { decodePlace, encodePlace, encodePosition } from './mirror-position.ts';
import { snapshotRequired } from './selected-errors.ts';
import { readSnapshotRows } from './selected-store.ts';

export interface SelectedDeps {
  readonly database: Database;
  /** The same connections, for COPY. */
  readonly pool: pg.Pool;
  readonly baseUrl: string;
}

export interface SnapshotRequest {
  readonly limit: number;
  readonly page?: string;
}

/** The first page is kept, the following are not: a mirror reads each once, and all of them would fill the cache. */
export function snapshotResource(deps: SelectedDeps, { limit, page }: SnapshotRequest): UnkeptResource {
  const place = page === undefined ? null : readPlace(page);
  return {
    key: `snapshot ${limit}`,
    topics: [recordTopics.selected],
    unkept: place !== null,
    build: () => buildSnapshotPage(deps, place, limit),
  };
}

function readPlace(page: string): SnapshotPlace {
  const decoded = decodePlace(page);
  if (decoded.ok && isEpochMicroseconds(decoded.value.asOfMicroseconds)) return decoded.value;
  throw new ProblemError(invalidCursor, 'this page cannot be read; start again from the first');
}

async function buildSnapshotPage(
  { pool, baseUrl }: SelectedDeps,
  place: SnapshotPlace | null,
  limit: number,
): Promise<BuiltBody> {
  const page = await readSnapshotRows(pool, place?.afterId ?? null, limit);
  const { epoch, count, lastId, hasMore } = page;
  if (place !== null && place.head.epoch !== epoch)
    throw new ProblemError(snapshotRequired, 'the ledger was replaced while this snapshot was read');
  const begun = place ?? {
    head: { epoch, position: BigInt(page.position) },
    asOfMicroseconds: fromTimestamptz(page.changedAt),
  };
  const start = JSON.stringify({
    schemaVersion: 1,
    asOf: isoMilliseconds(epochMicroseconds(begun.asOfMicroseconds)),
    cursor: encodePosition(begun.head),
    count,
    hasMore,
    nextPage: hasMore && lastId !== null ? encodePlace({ ...begun, afterId: lastId }) : null,
  });
  const parts = [Buffer.from(`${start.slice(0, -1)},"items":[`), ...page.bodies, Buffer.from(']}')];
  return jsonBody(withBaseUrl(parts, baseUrl));
}
