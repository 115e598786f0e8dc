export { agentsRoutes } from './agents-routes.ts';
