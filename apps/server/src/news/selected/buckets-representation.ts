import type { Resource } from '../../foundation/cache/representation-cache.ts';
import type { BuiltBody } from '../../foundation/cache/representation.ts';
import { jsonBody, formatInstant } from '../json-body.ts';
import { encodePlace, encodePosition } from './mirror-position.ts';
import { presentSet, presentSum } from './present-set.ts';
import type { SelectedDeps } from './snapshot-representation.ts';

/**
 * Depends on no tag: the sums are those of their cursor, from which a mirror continues, however old it is. So they
 * are computed at most once a minute, whatever is published.
 */
export function bucketsResource(deps: SelectedDeps): Resource {
  return { key: 'buckets', cacheTags: [], build: () => buildBuckets(deps) };
}

async function buildBuckets({ record }: SelectedDeps): Promise<BuiltBody> {
  const { head, buckets } = await record.setBuckets();
  const { epoch, position, changedAt } = head;
  return jsonBody(
    JSON.stringify({
      schemaVersion: 1,
      asOf: formatInstant(changedAt),
      cursor: encodePosition({ epoch, position }),
      set: presentSet(head),
      count: buckets.length,
      buckets: buckets.map(({ after, size, hash }) => ({
        after,
        size,
        hash: presentSum(hash),
        page: encodePlace({ head: { epoch, position }, asOfMicroseconds: changedAt, afterId: after }),
      })),
    }),
  );
}
