import type { BuiltBody } from '../../foundation/cache/representation.ts';
import { invalidCursor } from '../../foundation/http/http-problems.ts';
import { epochMicroseconds, isEpochMicroseconds } from '../../foundation/instant.ts';
import { ProblemError } from '../../foundation/problem.ts';
import type { RecordReader } from '../../record/index.ts';
import { items, recordCacheTags } from '../../record/index.ts';
import { jsonBody, formatInstant } from '../json-body.ts';
import type { UncachedResource } from '../news-route.ts';
import type { SnapshotPlace } from './mirror-position.ts';
import { decodePlace, encodePlace, encodePosition } from './mirror-position.ts';
import { snapshotRequired } from './selected-errors.ts';

export interface SelectedDeps {
  readonly record: RecordReader;
  readonly baseUrl: string;
}

export interface SnapshotRequest {
  readonly limit: number;
  readonly page?: string;
}

/** Only the first page is cached: a mirror reads each following page once, and all of them would fill the cache. */
export function snapshotResource(deps: SelectedDeps, { limit, page }: SnapshotRequest): UncachedResource {
  const place = page === undefined ? null : readPlace(page);
  return {
    key: `snapshot ${limit}`,
    cacheTags: [recordCacheTags.selected],
    uncached: place !== null,
    build: () => buildSnapshotPage(deps, place, limit),
  };
}

function readPlace(page: string): SnapshotPlace {
  const decoded = decodePlace(page);
  if (decoded.ok && isEpochMicroseconds(decoded.value.asOfMicroseconds)) return decoded.value;
  throw new ProblemError(invalidCursor, 'The page cursor is malformed. Start again from the first page.');
}

async function buildSnapshotPage(
  { record, baseUrl }: SelectedDeps,
  place: SnapshotPlace | null,
  limit: number,
): Promise<BuiltBody> {
  const page = await record.snapshotPage(place?.afterId ?? null, limit);
  const { epoch, count, lastId, hasMore } = page;
  if (place !== null && place.head.epoch !== epoch)
    throw new ProblemError(snapshotRequired, 'The ledger was replaced. Start again from the first page.');
  const begun = place ?? {
    head: { epoch, position: page.position },
    asOfMicroseconds: page.changedAt,
  };
  const start = JSON.stringify({
    schemaVersion: 1,
    asOf: formatInstant(epochMicroseconds(begun.asOfMicroseconds)),
    cursor: encodePosition(begun.head),
    count,
    hasMore,
    nextPage: hasMore && lastId !== null ? encodePlace({ ...begun, afterId: lastId }) : null,
  });
  const parts = [Buffer.from(`${start.slice(0, -1)},"items":[`), ...page.bodies, Buffer.from(']}')];
  return jsonBody(items.withBaseUrl(parts, baseUrl));
}
