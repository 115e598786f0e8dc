/** The exports that pages use. */
export type { Agent } from './agent.ts';
export {
  AgentChangeSchema,
  NewAgentSchema,
  presentAgent,
  settingsOf,
  systemPromptCharsMax,
} from './agent-schema.ts';
export { countAgents, deleteAllAgents, selectAgentsMadeBy } from './agent-store.ts';
export { changeAgent, removeAgent } from './change-agent.ts';
export { createAgent, duplicateAgent } from './create-agent.ts';
export { readAgent, searchAgents } from './read-agents.ts';
