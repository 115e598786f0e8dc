/** The most requested paths, which are nearly always served from the cache. */
export const cachedPaths = ['/api/v1/hot-topics', '/api/v1/items'] as const;

/** The same for people. */
export const cachedPages = ['/', '/timeline'] as const;
