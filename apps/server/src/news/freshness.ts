/**
 * How long a shared cache may serve a response: content that changes by the minute or a few times a day, the state of the
 * public log, and parts of it that never change.
 */
export type Freshness = 'ten-seconds' | 'minute' | 'five-minutes' | 'year';

const seconds: Readonly<Record<Freshness, number>> = {
  'ten-seconds': 10,
  minute: 60,
  'five-minutes': 300,
  year: 31_536_000,
};

export function cacheControlOf(freshness: Freshness): string {
  const fresh = refreshSecondsOf(freshness);
  if (freshness === 'year') return `public, max-age=${fresh}, s-maxage=${fresh}, immutable`;
  return `public, max-age=${fresh}, s-maxage=${fresh}, stale-while-revalidate=${fresh}, stale-if-error=3600`;
}

/** The shortest sensible polling interval. */
export function refreshSecondsOf(freshness: Freshness): number {
  return seconds[freshness];
}
