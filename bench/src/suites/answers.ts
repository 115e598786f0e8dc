import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Suite, SuiteContext } from '@daybook/evidence';
import { quantile } from '@daybook/evidence';
import type { createWorld } from '@daybook/newswire';

import { permissions } from '../../../apps/server/src/access/index.ts';
import type { SourceScope } from '../../../apps/server/src/agents/answers/answer.ts';
import {
  answerQuestion,
  findPassages,
  readDocument,
  searchFor,
  shippedAnswerTools,
} from '../../../apps/server/src/agents/answers/extract/index.ts';
import type { DatabaseUrls } from '../../../apps/server/src/foundation/database/logins.ts';
import { createRecordReader } from '../../../apps/server/src/record/wiring.ts';
import { createAnswerSources } from '../../../apps/server/src/wiring/answer-sources.ts';
import { filedWorld, fillTexts } from '../answers/answer-files.ts';
import { connectForBench } from '../measured-api.ts';
import { elapsedMs } from '../news/elapsed.ts';
import { windowWorld } from '../news/news-load.ts';
import type { NewsSet } from '../news/news-load.ts';
import { clockFromLoading } from '../news/news-moment.ts';
import { isLoaded, loadCluster, openCluster } from '../news/saved-cluster.ts';

interface AnswersSet extends NewsSet {
  readonly files: number;
}

const small: AnswersSet = { inWindow: 2_000, older: 8_000, olderSelected: 2_000, files: 1_000 };
const larger: Readonly<Record<'quick' | 'full', readonly AnswersSet[]>> = {
  quick: [{ inWindow: 4_000, older: 16_000, olderSelected: 4_000, files: 2_000 }],
  full: [
    { inWindow: 20_000, older: 80_000, olderSelected: 20_000, files: 10_000 },
    { inWindow: 100_000, older: 900_000, olderSelected: 200_000, files: 100_000 },
  ],
};

export const suite: Suite = {
  name: 'answers',
  nightly: true,
  summary: 'answers by quoting: search of news, archive and files, and choice of sentences; growth',
  promise:
    'An answer by quoting takes at most 150 ms at the 95th percentile among 1 M items (of which 200 k are selected) and 100 k files that the caller can read, and at most 1.5 times as long as among 10 k items and 1 k files (20 k and 2 k with `--quick`). Questions are titles of reports of the simulated world: of the window, the archive and files. The time includes the search, the texts and the choice of sentences, without HTTP.',
  run: async (context) => {
    const sets = [small, ...larger[context.quick ? 'quick' : 'full']];
    const times: number[] = [];
    for (const [at, set] of sets.entries()) {
      const { inWindow, older, files } = set;
      const value = await measure(context, set);
      times.push(value);
      context.figure({
        name: `an answer, ${(inWindow + older).toLocaleString('en-US')} items and ${files.toLocaleString('en-US')} files, p95`,
        value,
        unit: 'ms',
        isRecorded: true,
        ...(at === sets.length - 1 && { goal: { atMost: 150 } }),
      });
    }
    const growth = (times.at(-1) ?? NaN) / (times[0] ?? NaN);
    context.figure({ name: 'growth', value: growth, unit: '×', goal: { atMost: 1.5 } });
  },
};

async function measure(context: SuiteContext, set: AnswersSet): Promise<number> {
  const folder = join(context.root, '.data', 'bench', `answers-${set.inWindow + set.older}-${set.files}`);
  if (!isLoaded(folder)) await loadCluster(folder, set, context.note);
  const { cluster, urls } = await openCluster(folder);
  try {
    const organization = join(folder, 'organization');
    if (!existsSync(organization)) writeFileSync(organization, await fill(urls, set.files));
    return await measureAnswers(context, urls, set, readFileSync(organization, 'utf8'));
  } finally {
    await cluster.stop();
  }
}

async function fill(urls: DatabaseUrls, files: number): Promise<string> {
  const { pool, close } = connectForBench(urls.owner, 'bench answers');
  try {
    return await fillTexts(pool, files);
  } finally {
    await close();
  }
}

async function measureAnswers(
  context: SuiteContext,
  urls: DatabaseUrls,
  set: AnswersSet,
  organizationId: string,
): Promise<number> {
  const [news, own] = [
    connectForBench(urls.newsReader, 'bench answers'),
    connectForBench(urls.application, 'bench answers'),
  ];
  try {
    const record = createRecordReader({ ...news, searchDatabase: news.database });
    const clock = clockFromLoading();
    const sources = createAnswerSources({ record, clock, baseUrl: 'http://localhost' }, own);
    const scope = scopeOf(organizationId);
    const tools = shippedAnswerTools();
    const times: Record<'search' | 'choice' | 'all', number[]> = { search: [], choice: [], all: [] };
    let found = 0;
    for (const question of [
      ...questionsOf(windowWorld(set.inWindow)),
      ...questionsOf(filedWorld(set.files)),
    ]) {
      const asked = { text: question, before: [], day: null };
      const asking = searchFor(asked, tools.rarity);
      let documents: Awaited<ReturnType<typeof sources.find>> = [];
      const search = await elapsedMs(async () => {
        documents = await sources.find(scope, asking);
      });
      const choice = await elapsedMs(() =>
        Promise.resolve(
          answerQuestion(
            asked,
            documents.map((one) => readDocument({ ...one, passages: findPassages(one.text, asking.words) })),
            tools,
          ),
        ),
      );
      if (documents.some(({ title, text }) => `${title}\n${text}`.includes(question.slice(0, -1))))
        found += 1;
      times.search.push(search);
      times.choice.push(choice);
      times.all.push(search + choice);
    }
    // Without the first ones, which compile and load.
    const p95 = (some: readonly number[]): number => quantile(some.slice(10), 0.95);
    context.note(
      `${times.all.length} questions, the report of ${found} found; p95 of the search ${p95(times.search).toFixed(1)} ms, of the choice ${p95(times.choice).toFixed(1)} ms; median ${quantile(times.all, 0.5).toFixed(1)} ms`,
    );
    return p95(times.all);
  } finally {
    await Promise.all([news.close(), own.close()]);
  }
}

function scopeOf(organizationId: string): SourceScope {
  const organization = { id: organizationId, key: 'bench' } as NonNullable<
    SourceScope['actor']
  >['organization'];
  const policy = permissions.parsePolicy(
    { actions: ['Daybook.Storage/*/read'], resources: ['/organizations/bench/**'] },
    'bench',
  );
  if (!policy.ok) throw new Error('not a policy');
  const authority = permissions.compileAuthority([policy.value]);
  const actor = { organization, authority } as SourceScope['actor'];
  return { actor, agent: { readsPublicRecord: true, readsFiles: true, fileProjects: null } };
}

const questionsPerWorld = 100;

function questionsOf(world: ReturnType<typeof createWorld>): string[] {
  const questions: string[] = [];
  let number = 0;
  for (const { title } of world.dispatches()) {
    if (number % 7 === 0) questions.push(`${title}?`);
    number += 1;
    if (questions.length === questionsPerWorld) break;
  }
  return questions;
}
