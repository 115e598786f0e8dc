/** How long a shared cache may serve a response: content that changes by the minute or a few times a day. */
export type Freshness = 'minute' | 'five-minutes';

const seconds: Readonly<Record<Freshness, number>> = { minute: 60, 'five-minutes': 300 };

export function cacheControlOf(freshness: Freshness): string {
  const fresh = refreshSecondsOf(freshness);
  return `public, max-age=${fresh}, s-maxage=${fresh}, stale-while-revalidate=${fresh}, stale-if-error=3600`;
}

/** The shortest sensible polling interval. */
export function refreshSecondsOf(freshness: Freshness): number {
  return seconds[freshness];
}
