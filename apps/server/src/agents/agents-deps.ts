import type { Access, callers } from '../access/index.ts';
import type { credentials } from '../identity/index.ts';

/** What the use cases of this domain ask for. */
export type AgentsDeps = Pick<Access, 'database' | 'clock' | 'ids' | 'authorities' | 'cursorKeys'>;

/** Who asks, in which organization and in whose name, as the address says. */
export interface AgentsRequest {
  readonly caller: callers.Caller;
  readonly organizationKey: string;
  readonly username: string;
}

export interface AgentsChange extends AgentsRequest {
  readonly client: credentials.Client;
}
