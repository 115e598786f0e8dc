export { createProject, deleteProject, renameProject, restoreProject } from './change-projects.ts';
export { countStorageContents } from './project-store.ts';
export type { Project } from './project.ts';
export { listDeletedProjects, listProjects } from './read-projects.ts';
