import { setTimeout as delay } from 'node:timers/promises';

import type { Suite, SuiteContext } from '@daybook/evidence';
import { seededRandom } from '@daybook/evidence';

import { systemClock } from '../../../apps/server/src/foundation/clock.ts';
import { createEditorDesk } from '../../../apps/server/src/newsroom/desk/editor-desk.ts';
import type { JournalEntry } from '../../../apps/server/src/newsroom/desk/journal.ts';
import { ask } from '../news/http-question.ts';
import type { NewsStage } from '../news/news-stage.ts';
import { setNewsStage } from '../news/news-stage.ts';
import { countBrokenPromises } from '../news/record-promises.ts';
import type { Undone, World } from '../newsroom/undone-world.ts';
import { createWorld, decide, undoAll } from '../newsroom/undone-world.ts';

const decisionsMax = 6;
/** Worlds that are changed before their bodies are read again. */
const worldsAtOnce = 100;
/** That are changed at the same time: they have no item and no story in common. */
const worldsTogether = 4;
const firstSeed = 71_000;
/** Copies in the process are marked stale within a second. */
const staleWithinMs = 1_200;

export const suite: Suite = {
  name: 'desk-undo',
  nightly: true,
  summary: 'Undoing decisions of editors in any offered order returns every public body of before.',
  headline: 'different bodies',
  promise:
    'Random sequences of decisions about items and stories (select, unselect, rewrite, recategorize, retitle, rewrite the digest, split, merge) are undone one by one, each time a random one of those that the journal offers. The journal offers an undo until none is left, no offered undo is refused, and afterwards every public body of the items and stories, as JSON and as Markdown, equals the one before, apart from revisions, times, corrections and positions in the log. The promises of the record hold.',
  measuresNoTime: true,
  run: async (context) => {
    const stage = await setNewsStage(context.root);
    try {
      const port = await stage.startApi({ DAYBOOK_RATE_PER_MINUTE: '1000000000' });
      await undoSequences(context, stage, port);
      await countBrokenPromises(context, stage.database, systemClock.now());
    } finally {
      await stage.remove();
    }
  },
};

/** The same seed takes the same decisions. */
type SeededWorld = World & { readonly seed: number };

async function undoSequences(context: SuiteContext, stage: NewsStage, port: number): Promise<void> {
  const { database, factory } = stage;
  const desk = createEditorDesk({
    database,
    clock: systemClock,
    publisher: factory.publisher,
    language: 'en',
  });
  const sequences = context.quick ? 30 : 5_000;
  const sums = { taken: 0, undone: 0, refused: 0, left: 0, bodies: 0, different: 0 };
  for (let done = 0; done < sequences; done += worldsAtOnce) {
    const worlds: SeededWorld[] = [];
    for (let at = 0; at < Math.min(worldsAtOnce, sequences - done); at += 1)
      worlds.push({ ...(await createWorld(factory)), seed: firstSeed + done + at });
    await delay(staleWithinMs);
    const before = await Promise.all(worlds.map((world) => bodiesOf(port, world)));
    const change = async (world: SeededWorld): Promise<void> => {
      const random = seededRandom(world.seed);
      for (let at = 0; at < 2 + Math.floor(random() * (decisionsMax - 1)); at += 1)
        if (await decide({ random, desk, factory }, world)) sums.taken += 1;
      const undone = await undoAll({ random, desk }, world, { database, now: systemClock.now });
      if (undone.left > 0 && sums.left < 3)
        context.note([`seed ${world.seed}:`, ...undone.journal.map(describe)].join('\n'));
      add(sums, undone);
    };
    for (let at = 0; at < worlds.length; at += worldsTogether)
      await Promise.all(worlds.slice(at, at + worldsTogether).map(change));
    await delay(staleWithinMs);
    for (const [at, bodies] of before.entries()) {
      for (const [path, body] of bodies) {
        sums.bodies += 1;
        const now = comparable((await read(port, path)).text);
        if (now === body) continue;
        sums.different += 1;
        if (sums.different <= 5) context.note(`seed ${worlds[at]?.seed ?? ''}: ${path}\n${body}\n${now}`);
      }
    }
  }
  const figure = (
    name: string,
    value: number,
    unit: string,
    goal?: { exactly: number } | { atLeast: number },
  ) => context.figure({ name, value, unit, ...(goal !== undefined && { goal }) });
  figure('sequences', sequences, 'sequences');
  figure('decisions', sums.taken, 'decisions', { atLeast: sequences });
  figure('undone', sums.undone, 'decisions', { exactly: sums.taken });
  figure('not offered in the end', sums.left, 'decisions', { exactly: 0 });
  figure('offered and refused', sums.refused, 'decisions', { exactly: 0 });
  figure('bodies compared', sums.bodies, 'bodies', { atLeast: sequences });
  figure('different bodies', sums.different, 'bodies', { exactly: 0 });
}

function describe({ id, action, subject, detail, undoes }: JournalEntry): string {
  const undone = undoes === null ? '' : ` undoes ${undoes}`;
  return `${id}${undone}: ${action} ${subject.kind} ${subject.id} ${JSON.stringify(detail)}`;
}

function add(sums: Record<'undone' | 'refused' | 'left', number>, { undone, refused, left }: Undone): void {
  sums.undone += undone;
  sums.refused += refused;
  sums.left += left;
}

/** Without a connection that waits between batches: the server would close it at the moment of the next request. */
const read = (port: number, path: string) => ask(port, { path, headers: { connection: 'close' } });

/** Of the items and stories that exist before the decisions. */
async function bodiesOf(port: number, { itemIds, storyIds }: World): Promise<ReadonlyMap<string, string>> {
  const paths = [
    ...itemIds.map((id) => `/api/v1/items/${id}`),
    ...storyIds.flatMap((id) => [`/api/v1/stories/${id}`, `/agent/stories/${id}.md`]),
  ];
  const bodies = new Map<string, string>();
  for (const path of paths) bodies.set(path, comparable((await read(port, path)).text));
  return bodies;
}

const excepted = /"(?:revision|revisions|updatedAt|revisedAt|changedAt|corrections|position|logIndex)"/u;

/** Without revisions, times, corrections and positions. */
function comparable(text: string): string {
  if (!text.startsWith('{'))
    return text.replaceAll(/^(Digest of )\S+|^.*(?:revised|corrected).*$/gimu, '$1').trim();
  return JSON.stringify(JSON.parse(text), (key, value: unknown) =>
    excepted.test(`"${key}"`) || (typeof value === 'string' && /^\d{4}-\d\d-\d\dT/u.test(value))
      ? undefined
      : value,
  );
}
