/** The most requested paths, which are nearly always served from the cache. */
export const cachedPaths = ['/api/v1/hot-topics', '/api/v1/items', '/api/v1/hot-topics?language=zh'] as const;

/** The same for people, in each language and in both. */
export const cachedPages = ['/', '/timeline', '/zh', '/timeline?language=all'] as const;
