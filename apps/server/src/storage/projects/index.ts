export { createProject, deleteProject, renameProject } from './change-projects.ts';
export { countStorageContents } from './project-store.ts';
export type { Project } from './project.ts';
export { listProjects } from './read-projects.ts';
