export type { Answer, AnswerOrigin, ClientProblem, Found, NotFound } from './answer.ts';
export type { ClientWorld } from './client-world.ts';
export type { CallOptions, ClientOptions, NewsClient, PagedName } from './client.ts';
export { createClient } from './client.ts';
export type { Patience } from './polite-fetch.ts';
