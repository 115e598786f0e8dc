import type { Answer } from '@daybook/client/platform';
import { AgentNotChosen, askAgentByName } from '@daybook/client/platform';

import type { CliHost } from './cli-host.ts';
import { CliError } from './cli-host.ts';
import type { CommandLine } from './command-line.ts';
import { signedIn, withRefusals } from './signed-in.ts';
import { painter, printable, wrapped } from './terminal-text.ts';

/** Asks an agent of an organization, and prints the sentences of the answer with their sources. */
export async function ask(line: CommandLine, host: CliHost): Promise<void> {
  const question = line.words.join(' ');
  if (question === '') throw new CliError('usage', 'a question is required: daybook ask <question>');
  const { organization, agent, follows } = line;
  await withRefusals(async () => {
    const answer = await askAgentByName(signedIn(line, host), {
      question,
      ...(organization !== null && { organization }),
      ...(agent !== null && { agent }),
      ...(follows !== null && { follows }),
    }).catch(raiseNotChosen);
    if (line.json) host.print(JSON.stringify(answer));
    else host.page(answerLines(answer, host));
  });
}

function raiseNotChosen(error: unknown): never {
  if (!(error instanceof AgentNotChosen)) throw error;
  throw error.reason === 'unknown'
    ? new CliError('notFound', error.message)
    : new CliError('usage', `${error.message}, with --agent`);
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
  const next = paint('dim', `Follow-up question: daybook ask --follows ${printable(answer.id)} <question>`);
  return [...said, ...differ, ...missing, '', ...cited, next];
}

type Reason = Answer['left_out'][number]['reason'];

const leftOutTexts: Readonly<Record<Exclude<Reason, 'unanswered'>, string>> = {
  unavailable: 'A quoted source is no longer available.',
  changed: 'A quoted sentence has changed.',
  unsupported: 'A sentence of the language model was omitted: its citation does not support it.',
  uncited: 'A sentence of the language model was omitted: it has no citation.',
};

function leftOut(reason: Answer['left_out'][number]['reason'], text: string | null): string {
  if (reason === 'unanswered') return `No source answers: ${printable(text ?? '')}`;
  return leftOutTexts[reason];
}
