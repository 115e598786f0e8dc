import type { Suite, SuiteContext } from '@daybook/evidence';
import { seededRandom } from '@daybook/evidence';

import type { StorageStage } from '../../../apps/server/test/storage-stage.ts';
import { openStorageStage } from '../../../apps/server/test/storage-stage.ts';
import { AnswerWorld } from '../answers/answer-world.ts';
import { FileWorld } from '../answers/file-world.ts';

export const suite: Suite = {
  name: 'answer-access',
  summary:
    'Answers of agents contain nothing that the caller may not read at that moment, and nothing withdrawn.',
  promise:
    'Members of every role and a member of another organization ask two agents on three processes and read answers again, their own and those of others, while roles change and items are withdrawn. One of the agents does not read the public record. Every status is the one that the role allows; for a second after a change also the one of the role before. No answer, fresh or stored, contains text of an item that was withdrawn before the request, or any text for an agent that does not read the record, and nobody reads an answer to another member. Half of the questions are about files: the attackers are members of every role, guests with shares, tokens in owner mode, tokens with policies of their own, API keys and members of other organizations. They know every name, question, agent and address, use several credentials of one account, and ask while shares begin and end, files are replaced, moved, deleted and restored, and projects deleted and restored. No response contains a sentence or source of a file that the credential could not read, or the agent does not search, at any moment of the request (for rights: or in the second before).',
  headline: 'answers with text that',
  run: async (context) => {
    const stage = await openStorageStage(1);
    try {
      await proveAccess(context, stage);
    } finally {
      await stage.stop();
    }
  },
};

async function proveAccess(context: SuiteContext, stage: StorageStage): Promise<void> {
  const { settings } = stage;
  const processes = await Promise.all([1, 2, 3].map(() => stage.start({ settings, signInsUnlimited: true })));
  const ports = processes.map(({ port }) => port);
  const random = seededRandom(35);
  const world = new AnswerWorld(stage, ports, random);
  await world.open(40);
  const questions = context.quick ? 175 : 5_000;
  await proveFiles(context, new FileWorld(stage, ports, random), questions);
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

async function proveFiles(context: SuiteContext, world: FileWorld, questions: number): Promise<void> {
  await world.open(context.quick ? 12 : 40);
  let rounds = 0;
  while (world.counts.asked < questions) {
    rounds += 1;
    await Promise.all([
      ...world.askers.map((asker) => world.ask(asker)),
      // Every other round, so that some questions are asked of what has not changed for a while.
      ...(rounds % 2 === 0 ? [world.change()] : []),
    ]);
  }
  for (const line of world.faults.slice(0, 8)) context.note(line);
  const { asked, quoted, refused, read, changes, controls, missed } = world.counts;
  const count = (name: string, value: number, unit: string, atLeast: number): void =>
    context.figure({ name, value, unit, goal: { atLeast } });
  count('questions about files', asked, 'answers', questions);
  count('answers that quote a file', quoted, 'answers', questions / 10);
  count('questions about files refused', refused, 'answers', questions / 20);
  count('answers about files read again', read, 'answers', questions / 10);
  count('changes of files, projects and shares meanwhile', changes, 'changes', questions / 50);
  const share = controls === 0 ? 0 : (100 * (controls - missed)) / controls;
  count('questions that quote the file, where nothing changed', Number(share.toFixed(1)), '%', 95);
  context.figure({
    name: 'answers with text or sources of files that the credential could not read',
    value: world.faults.length,
    unit: 'answers',
    goal: { exactly: 0 },
  });
}
