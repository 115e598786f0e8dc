/** The exports that pages use. */
export { changedFields, presentSettings } from '../agents/agent-schema.ts';
export { restoreAgentVersion } from '../agents/change-agent.ts';
export { listAgentVersions, readAgentVersion } from './read-versions.ts';
