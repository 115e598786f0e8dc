import type { OwnUser } from '@daybook/client/accounts';
import { createAccountsClient } from '@daybook/client/accounts';
import type { Answer, ListedAgent } from '@daybook/client/platform';
import { createPlatformClient } from '@daybook/client/platform';

import type { CliHost } from './cli-host.ts';
import { CliError, required } from './cli-host.ts';
import type { CommandLine } from './command-line.ts';
import { all, signedIn, withRefusals } from './signed-in.ts';
import { painter, printable, wrapped } from './terminal-text.ts';

/** Asks an agent of an organization, and prints the sentences of the answer with their sources. */
export async function ask(line: CommandLine, host: CliHost): Promise<void> {
  const question = line.words.join(' ');
  if (question === '') throw new CliError('usage', 'a question is required: daybook ask <question>');
  const options = signedIn(line, host);
  await withRefusals(async () => {
    const { user } = required(await createAccountsClient(options).getMe());
    const platform = createPlatformClient(options);
    const member = { org: organizationOf(user, line.organization), username: user.username };
    const agents = await all(platform.each('searchAgents', { ...member, limit: 100 }));
    const { unique_id } = agentOf(agents, line.agent);
    const body = { question, ...(line.follows !== null && { follows: line.follows }) };
    const answer = required(await platform.askAgent({ ...member, unique_id, body }));
    if (line.json) host.print(JSON.stringify(answer));
    else host.page(answerLines(answer, host));
  });
}

/** The key of the named organization, or of the current one. */
function organizationOf({ organizations, organizationId }: OwnUser, named: string | null): string {
  const found = organizations.find(({ id, platform_key, name }) =>
    named === null ? id === organizationId : platform_key === named || name === named,
  );
  if (found !== undefined) return found.platform_key;
  const known = organizations.map(({ platform_key }) => platform_key).join(', ');
  throw new CliError('notFound', `no organization ${named ?? organizationId}; yours: ${known}`);
}

/** The named agent; without a name the only one. */
function agentOf(agents: readonly ListedAgent[], named: string | null): ListedAgent {
  const [first, ...others] = agents.filter(
    ({ unique_id, slug, name }) => named === null || [unique_id, slug, name].includes(named),
  );
  const known = agents.map(({ slug }) => slug).join(', ');
  if (first === undefined)
    throw new CliError(
      'notFound',
      named === null
        ? 'the organization has no agent; create one on its page Agents'
        : `no agent ${named}; the organization has: ${known}`,
    );
  if (others.length > 0) throw new CliError('usage', `choose one with --agent: ${known}`);
  return first;
}

function answerLines(answer: Answer, host: CliHost): readonly string[] {
  const { columns } = host.screen;
  const paint = painter(host);
  const { sentences, sources, contradictions } = answer;
  const placeOf = (kind: string, id: string): number =>
    sources.findIndex((source) => source.kind === kind && source.id === id) + 1;
  const said = sentences.flatMap(({ text, cites }) => {
    const marks = cites.map(({ kind, id }) => `[${placeOf(kind, id)}]`).join('');
    return wrapped(`${printable(text)} ${marks}`, columns);
  });
  const differ = contradictions.map(({ sentences: [one = 0, other = 0] }) =>
    paint('bold', `Sentences ${one + 1} and ${other + 1} state different numbers.`),
  );
  const missing = answer.left_out.flatMap(({ reason, text }) => wrapped(leftOut(reason, text), columns));
  const cited = sources.flatMap(({ title, url, publisher, published }, at) => [
    ...wrapped(
      `[${at + 1}] ${[title, publisher, published].filter(Boolean).map(String).map(printable).join(', ')}`,
      columns,
    ),
    paint('dim', `    ${printable(url)}`),
  ]);
  const next = paint('dim', `Ask further: daybook ask --follows ${printable(answer.id)} <question>`);
  return [...said, ...differ, ...missing, '', ...cited, next];
}

function leftOut(reason: Answer['left_out'][number]['reason'], text: string | null): string {
  if (reason === 'unanswered') return `No source answers: ${printable(text ?? '')}`;
  return reason === 'changed' ? 'A quoted sentence has changed.' : 'A quoted source is no longer available.';
}
