import type { Registry } from 'prom-client';

import { registerGauge } from '../../foundation/metrics/gauges.ts';
import type { NewsReplica } from './news-replica.ts';

export function registerReplicaMetrics(
  registry: Registry,
  { isCurrent }: Pick<NewsReplica, 'isCurrent'>,
): void {
  registerGauge(
    registry,
    'daybook_news_replica_current',
    '1 while news is read from the replica: it has every decision of the primary.',
    () => (isCurrent() ? 1 : 0),
  );
}
