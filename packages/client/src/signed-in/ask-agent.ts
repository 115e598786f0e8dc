import { createAccountsClient } from '../accounts.ts';
import type { OwnUser } from '../accounts.ts';
import type { Answer, ListedAgent, PlatformOperations } from '../generated/platform-api.ts';
import { platformOperations } from '../generated/platform-api.ts';
import type { SignedInAnswer, SignedInOptions } from './signed-in-client.ts';
import { RequestRefused, createSignedInClient } from './signed-in-client.ts';

export interface AgentQuestion {
  readonly question: string;
  /** The key or name of an organization; by default the current one. */
  readonly organization?: string;
  /** Whose answers they are; by default the signed-in account. A platform token needs both. */
  readonly username?: string;
  /** The id, slug or name of an agent; by default the only one. */
  readonly agent?: string;
  /** The id of the answer before it in the same conversation. */
  readonly follows?: string;
}

/** No agent, or more than one, has the given names; the message lists the known ones. */
export class AgentNotChosen extends Error {
  readonly reason: 'unknown' | 'ambiguous';

  constructor(reason: AgentNotChosen['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

/** Asks an agent by name. Throws `AgentNotChosen`, or a `RequestRefused` where a request is refused. */
export async function askAgentByName(options: SignedInOptions, asked: AgentQuestion): Promise<Answer> {
  const platform = createSignedInClient<PlatformOperations>(platformOperations, options);
  const member = await memberOf(options, asked);
  const agents: ListedAgent[] = [];
  for await (const agent of platform.each('searchAgents', { ...member, limit: 100 })) agents.push(agent);
  const { unique_id } = agentOf(agents, asked.agent);
  const { question, follows } = asked;
  const body = { question, ...(follows !== undefined && { follows }) };
  return granted(await platform.askAgent({ ...member, unique_id, body }));
}

async function memberOf(
  options: SignedInOptions,
  { organization, username }: AgentQuestion,
): Promise<{ readonly org: string; readonly username: string }> {
  if (organization !== undefined && username !== undefined) return { org: organization, username };
  const { user } = granted(await createAccountsClient(options).getMe());
  return { org: organizationOf(user, organization), username: username ?? user.username };
}

function granted<Data>(answer: SignedInAnswer<Data>): Data {
  if (!answer.ok) throw new RequestRefused(answer.status, answer.problem);
  return answer.data;
}

function organizationOf({ organizations, organizationId }: OwnUser, named: string | undefined): string {
  const found = organizations.find(({ id, platform_key, name }) =>
    named === undefined ? id === organizationId : platform_key === named || name === named,
  );
  if (found !== undefined) return found.platform_key;
  const known = organizations.map(({ platform_key }) => platform_key).join(', ');
  throw new AgentNotChosen(
    'unknown',
    `organization not found: ${named ?? organizationId}; your organizations: ${known}`,
  );
}

function agentOf(agents: readonly ListedAgent[], named: string | undefined): ListedAgent {
  const [first, ...others] = agents.filter(
    ({ unique_id, slug, name }) => named === undefined || [unique_id, slug, name].includes(named),
  );
  const known = agents.map(({ slug }) => slug).join(', ');
  if (first === undefined)
    throw new AgentNotChosen(
      'unknown',
      named === undefined
        ? 'the organization has no agent; create one on the page Agents'
        : `agent not found: ${named}; agents of the organization: ${known}`,
    );
  if (others.length > 0) throw new AgentNotChosen('ambiguous', `specify one of the agents: ${known}`);
  return first;
}
