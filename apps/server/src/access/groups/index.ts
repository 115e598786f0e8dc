/** The exports that pages use. */
export { changeGroup, createGroup } from './change-group.ts';
export type { GroupRelations } from './change-group.ts';
export { findGroups, selectGroupsOf } from './group-store.ts';
export { NewGroupSchema } from './group-schema.ts';
export { listGroups, readGroup, readGroups, removeGroup } from './group-resource.ts';
