import type { Registry } from 'prom-client';

import { registerGauge } from '../metrics/gauges.ts';
import type { CacheTagVersions } from './cache-tag-versions.ts';
import type { RepresentationCache } from './representation-cache.ts';

export function registerCacheMetrics(
  registry: Registry,
  cache: RepresentationCache,
  versions: CacheTagVersions,
): void {
  const { counts } = cache;
  registerGauge(registry, 'daybook_cache_hits_total', 'Responses from a cached copy.', () => counts.hits);
  registerGauge(
    registry,
    'daybook_cache_stale_hits_total',
    'Responses from a stale copy.',
    () => counts.staleHits,
  );
  registerGauge(registry, 'daybook_cache_builds_total', 'Copies built.', () => counts.builds);
  registerGauge(
    registry,
    'daybook_cache_failed_builds_total',
    'Builds that failed.',
    () => counts.failedBuilds,
  );
  registerGauge(registry, 'daybook_cache_entries', 'Cached copies.', () => counts.entries);
  registerGauge(registry, 'daybook_cache_bytes', 'Memory reserved for cached copies.', () => counts.bytes);
  registerGauge(registry, 'daybook_database_away', '1 while the database does not respond.', () =>
    versions.databaseUnreachable ? 1 : 0,
  );
}
