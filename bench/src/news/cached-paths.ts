/** What most readers ask for, and so what is nearly always answered from a held copy. */
export const cachedPaths = ['/api/v1/hot-topics', '/api/v1/items'] as const;

/** The same for people. */
export const cachedPages = ['/', '/timeline'] as const;
