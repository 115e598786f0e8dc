export { storeContent } from './receive-content.ts';
export { tusRoutes } from './tus-routes.ts';
