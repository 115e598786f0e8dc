import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { Suite, SuiteContext } from '@daybook/evidence';
import { seededRandom } from '@daybook/evidence';

import type { EngineStage } from '../engine/engine-stage.ts';
import { startWorkerSupervisor } from '../engine/worker-supervisor.ts';
import type { NewsroomStage } from '../newsroom/newsroom-stage.ts';
import { setNewsroomStage, nextMatchingDispatch, verifyFigure } from '../newsroom/newsroom-stage.ts';
import type { EditorLine } from '../processes/desk-editor.ts';

const program = fileURLToPath(new URL('../processes/desk-editor.ts', import.meta.url));
const editors = 4;
const outlets = 6;

export const suite: Suite = {
  name: 'desk-races',
  nightly: true,
  summary:
    'Decisions of editors are never lost, doubled or without an entry in the journal, while editors and workers are killed.',
  promise:
    'Four editors, each a process, and two workers that publish news decide about the same items and stories at once: select, unselect, recategorize, merge, split, withdraw and undo, one request in five sent twice. Editors and workers are killed with `kill -9` every two to three seconds. What each editor sent and was answered is written outside of the database. Every decision that was answered as done has exactly one entry in the journal, no refused one has any, and no entry belongs to an unknown request. Each entry about an item starts from the state that the entry before it left, and the last one is the state of the record. The promises of the record hold.',
  measuresNoTime: true,
  run: async (context) => {
    const folder = await mkdtemp(join(tmpdir(), 'daybook-desk-races-'));
    const stage = await setNewsroomStage({ outlets, model: null });
    try {
      const logFile = join(folder, 'editors.jsonl');
      await decideUnderKills(context, stage, { folder, logFile });
      const lines = readFileSync(logFile, 'utf8')
        .split('\n')
        .filter((line) => line.endsWith('}'))
        .map((line) => JSON.parse(line) as EditorLine);
      await judgeAnswers(context, stage.engine, lines);
      await judgeStates(context, stage.engine);
      await verifyFigure(context, stage.engine);
    } finally {
      await stage.remove();
      await rm(folder, { recursive: true, force: true });
    }
  },
};

async function decideUnderKills(
  context: SuiteContext,
  stage: NewsroomStage,
  { folder, logFile }: { readonly folder: string; readonly logFile: string },
): Promise<void> {
  const random = seededRandom(320);
  const settings = { databaseUrl: stage.engine.applicationUrl, logFile };
  const next = nextMatchingDispatch(({ language }) => language === 'en');
  let published = 0;
  const publish = (): void => {
    const { title, body } = next();
    stage.outlets.publish((published += 1) % outlets, { title, text: body() });
  };
  for (let at = 0; at < 24; at += 1) publish();
  const supervisor = startWorkerSupervisor({
    program,
    slots: editors,
    settings,
    logFile: join(folder, 'editors.log'),
  });
  let [kills, acts] = [0, 0];
  try {
    const workerKills = await stage.workUnderKills(
      {
        runMs: context.quick ? 20_000 : 300_000,
        killEveryMs: 3_000,
        endWithinMs: 1_000,
        random,
        actEveryMs: 100,
        act: () => {
          acts += 1;
          if (acts % 5 === 0) publish();
          if (acts % 25 !== 0) return;
          supervisor.signal(kills % editors, 'SIGKILL');
          kills += 1;
        },
      },
      async () => true,
    );
    context.figure({ name: 'editors killed', value: kills, unit: 'processes', goal: { atLeast: 4 } });
    context.figure({ name: 'workers killed', value: workerKills, unit: 'processes', goal: { atLeast: 1 } });
  } finally {
    await supervisor.stop();
  }
}

async function judgeAnswers(
  context: SuiteContext,
  { query }: EngineStage,
  lines: readonly EditorLine[],
): Promise<void> {
  const entries = new Map(
    (
      await query<{ request: string; count: number }>(
        `SELECT request_id::text AS request, count(*)::int AS count FROM newsroom.journal_entry
         WHERE decided_by = 'operator' GROUP BY request_id`,
      )
    ).map(({ request, count }) => [request, count]),
  );
  const answers = new Map<string, string | undefined>();
  for (const { requestId, answer } of lines) answers.set(requestId, answer ?? answers.get(requestId));
  const of = (wanted: (answer: string | undefined) => boolean) =>
    [...answers].filter(([, answer]) => wanted(answer)).map(([requestId]) => requestId);
  const [done, open, refused] = [
    of((answer) => answer === 'done'),
    of((answer) => answer === undefined),
    of((answer) => answer !== undefined && answer !== 'done'),
  ];
  const figure = (name: string, value: number, goal: { exactly: number } | { atLeast: number }): void =>
    context.figure({ name, value, unit: 'decisions', goal });
  figure('answered as done', done.length, { atLeast: 50 });
  figure('refused: already so, concurrent or undone', refused.length, { atLeast: 1 });
  figure('cut off by a kill', open.length, { atLeast: 1 });
  figure('done and lost', done.filter((id) => !entries.has(id)).length, { exactly: 0 });
  figure('done twice', [...entries.values()].filter((count) => count !== 1).length, { exactly: 0 });
  figure('refused and yet in the journal', refused.filter((id) => entries.has(id)).length, { exactly: 0 });
  figure(
    'in the journal and sent by no editor',
    [...entries.keys()].filter((id) => !answers.has(id)).length,
    { exactly: 0 },
  );
}

interface Chained {
  readonly subject: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly category: string | null;
}

/** Only editors change the category of these items, so each entry continues from the one before. */
async function judgeStates(context: SuiteContext, { query }: EngineStage): Promise<void> {
  const rows = await query<Chained>(
    `SELECT entry.subject, before.words::jsonb ->> 'category' AS before, after.words::jsonb ->> 'category' AS after,
       item.category
     FROM newsroom.journal_entry AS entry
     JOIN newsroom.journal_words AS before ON before.hash = entry.before_hash AND before.words IS NOT NULL
     JOIN newsroom.journal_words AS after ON after.hash = entry.after_hash AND after.words IS NOT NULL
     JOIN record.item ON item.id::text = entry.subject AND item.withdrawn_at IS NULL
     WHERE entry.subject_kind = 'item' AND entry.action = 'correct' ORDER BY entry.id`,
  );
  let [links, broken] = [0, 0];
  for (const chain of Map.groupBy(rows, ({ subject }) => subject).values()) {
    for (const [at, entry] of chain.entries()) {
      links += 1;
      if ((chain[at + 1]?.before ?? entry.category) !== entry.after) broken += 1;
    }
  }
  context.figure({ name: 'entries about categories', value: links, unit: 'entries', goal: { atLeast: 10 } });
  context.figure({
    name: 'that do not continue the entry before, or are not the state of the record',
    value: broken,
    unit: 'entries',
    goal: { exactly: 0 },
  });
}
