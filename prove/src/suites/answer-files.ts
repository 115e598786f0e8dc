import type { Suite, SuiteContext } from '@daybook/evidence';
import { seededRandom } from '@daybook/evidence';

import type { StorageStage } from '../../../apps/server/test/storage-stage.ts';
import { openStorageStage } from '../../../apps/server/test/storage-stage.ts';
import { FileWorld } from '../answers/file-world.ts';

export const suite: Suite = {
  name: 'answer-files',
  nightly: true,
  summary: 'Answers of agents contain no sentence or source of a file that the credential could not read.',
  promise:
    'The attackers are members of every role, guests with shares, tokens in owner mode, tokens with policies of their own, and members of other organizations. They know every name, question, agent and address, use several credentials of one account (API keys are refused), and ask three agents on three processes, and read stored answers again, while shares begin and end, files are replaced, moved, deleted and restored, and projects deleted and restored. No response contains a sentence or source of a file that the credential could not read, or that the agent does not search, at any moment of the request (for rights: or in the second before). Questions about files that have not changed for a while are answered from them.',
  headline: 'answers with text or sources',
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
  const questions = context.quick ? 250 : 10_000;
  await proveFiles(context, new FileWorld(stage, ports, seededRandom(36)), questions);
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
