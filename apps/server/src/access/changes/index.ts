export { permissionEscalation } from '../access-problems.ts';
export { holdPresentActor, isLiveCaller, readPresentActor } from '../authorities/read-present-actor.ts';
export { changeOrganization } from './change-organization.ts';
export { recordActorEvent } from './record-actor-event.ts';
export { requireOver } from './require-over.ts';
export { requireWithin } from './require-within.ts';
