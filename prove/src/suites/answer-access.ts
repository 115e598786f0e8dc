import type { Suite, SuiteContext } from '@daybook/evidence';
import { seededRandom } from '@daybook/evidence';

import type { AccountsStage } from '../../../apps/server/test/accounts-stage.ts';
import { openAccountsStage } from '../../../apps/server/test/accounts-stage.ts';
import { AnswerWorld } from '../answers/answer-world.ts';

export const suite: Suite = {
  name: 'answer-access',
  summary:
    'Answers of agents contain nothing that the caller may not read at that moment, and nothing withdrawn.',
  promise:
    'Members of every role and a member of another organization ask two agents on three processes and read answers again, their own and those of others, while roles change and items are withdrawn. One of the agents does not read the public record. Every status is the one that the role allows; for a second after a change also the one of the role before. No answer, fresh or stored, contains text of an item that was withdrawn before the request, or any text for an agent that does not read the record, and nobody reads an answer to another member.',
  headline: 'answers with text that',
  run: async (context) => {
    const stage = await openAccountsStage();
    try {
      await proveAccess(context, stage);
    } finally {
      await stage.stop();
    }
  },
};

async function proveAccess(context: SuiteContext, stage: AccountsStage): Promise<void> {
  const settings = { DAYBOOK_CREDENTIAL_RATE_PER_MINUTE: '1000000', DAYBOOK_LOG_LEVEL: 'error' };
  const processes = await Promise.all([1, 2, 3].map(() => stage.start({ settings, signInsUnlimited: true })));
  const ports = processes.map(({ port }) => port);
  const random = seededRandom(35);
  const world = new AnswerWorld(stage, ports, random);
  await world.open(40);
  const questions = context.quick ? 350 : 10_000;
  while (world.counts.asked < questions) {
    await Promise.all(world.askers.map((asker) => world.ask(asker)));
    if (random() < 0.6) await world.change();
  }
  for (const line of world.faults.slice(0, 8)) context.note(line);
  const { asked, quoted, refused, read, withdrawn } = world.counts;
  const count = (name: string, value: number, atLeast: number): void =>
    context.figure({ name, value, unit: 'answers', goal: { atLeast } });
  count('questions asked', asked, questions);
  count('answers with a quoted sentence', quoted, questions / 20);
  count('questions refused by role', refused, questions / 10);
  count('answers read again', read, questions / 20);
  context.figure({
    name: 'items withdrawn meanwhile',
    value: withdrawn,
    unit: 'items',
    goal: { atLeast: 5 },
  });
  context.figure({
    name: 'answers with text that the caller may not read, or another status than the role’s',
    value: world.faults.length,
    unit: 'answers',
    goal: { exactly: 0 },
  });
}
