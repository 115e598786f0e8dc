import type { Registry } from 'prom-client';

import { registerGauge } from '../../foundation/metrics/gauges.ts';
import type { NewsReplica } from './news-replica.ts';

export function registerReplicaMetrics(registry: Registry, replica: Pick<NewsReplica, 'isCurrent'>): void {
  registerGauge(
    registry,
    'daybook_news_replica_current',
    '1 while news is read from the replica: it has every decision of the primary.',
    () => (replica.isCurrent() ? 1 : 0),
  );
}
