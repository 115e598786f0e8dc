/** What pages use of agents. */
export type { Agent } from './agent.ts';
export { AgentChangeSchema, NewAgentSchema, settingsOf } from './agent-schema.ts';
export { changeAgent } from './change-agent.ts';
export { createAgent } from './create-agent.ts';
export { readAgent, searchAgents } from './read-agents.ts';
