import type { PlatformOperations } from './generated/platform-api.ts';
import { platformOperations } from './generated/platform-api.ts';
import type { SignedInClient, SignedInOptions } from './signed-in/signed-in-client.ts';
import { createSignedInClient } from './signed-in/signed-in-client.ts';

export type * from './generated/platform-api.ts';
export type {
  Credential,
  SignedInAnswer,
  SignedInCall,
  SignedInOptions,
} from './signed-in/signed-in-client.ts';
export type { AgentQuestion } from './signed-in/ask-agent.ts';
export { AgentNotChosen, askAgentByName } from './signed-in/ask-agent.ts';
export { RequestRefused } from './signed-in/signed-in-client.ts';

/** One function for each operation of the platform API: tokens, policies, groups, members, audit events and agents. */
export function createPlatformClient(options: SignedInOptions): SignedInClient<PlatformOperations> {
  return createSignedInClient<PlatformOperations>(platformOperations, options);
}
