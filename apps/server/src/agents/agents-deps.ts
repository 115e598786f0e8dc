import type { Access, callers } from '../access/index.ts';
import type { credentials } from '../identity/index.ts';

/** Dependencies of the use cases of this domain. */
export type AgentsDeps = Pick<Access, 'database' | 'clock' | 'ids' | 'authorities' | 'cursorKeys'>;

/** The caller, the organization and the member the caller acts for, from the path. */
export interface AgentsRequest {
  readonly caller: callers.Caller;
  readonly organizationKey: string;
  readonly username: string;
}

export interface AgentsChange extends AgentsRequest {
  readonly client: credentials.Client;
}
