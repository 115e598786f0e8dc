export { newsRoutes, searchesRunningMax } from './news-routes.ts';
export type { NewsDeps } from './news-routes.ts';
export { describeNewsApi } from './reference/openapi-document.ts';
