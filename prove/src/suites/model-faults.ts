import type { Suite, SuiteContext } from '@daybook/evidence';
import { seededRandom } from '@daybook/evidence';
import { splitSentences } from '@daybook/grounding';

import type { ModelConfig } from '../../../apps/server/src/config/config.ts';
import { judgeRead, readForJudgement } from '../../../apps/server/src/newsroom/copy/judgement/index.ts';
import type { PromptInjection } from '../../../apps/server/test/prompt-injections.ts';
import { promptInjections } from '../../../apps/server/test/prompt-injections.ts';
import type { Behaviour, ScriptedModel } from '../newsroom/model-script.ts';
import { faults, invention, startScriptedModel } from '../newsroom/model-script.ts';
import type { NewsroomStage } from '../newsroom/newsroom-stage.ts';
import { setNewsroomStage, nextMatchingDispatch, verifyFigure } from '../newsroom/newsroom-stage.ts';
import type { ScriptedOutlets } from '../newsroom/scripted-outlets.ts';

interface FaultsPlan {
  readonly injections: readonly PromptInjection[];
  readonly ofEachFault: number;
  /** The budget is for fewer calls than all of them would need. */
  readonly plain: number;
  readonly callsPerHour: number;
  readonly runMs: number;
  readonly killEveryMs: number;
  readonly endWithinMs: number;
  readonly actEveryMs: number;
}

const full: FaultsPlan = {
  injections: promptInjections,
  ofEachFault: 6,
  plain: 120,
  callsPerHour: 240,
  runMs: 60_000,
  killEveryMs: 5_000,
  endWithinMs: 180_000,
  actEveryMs: 200,
};
const quick: FaultsPlan = {
  injections: promptInjections.filter((_, at) => at % 5 === 0),
  ofEachFault: 1,
  plain: 10,
  callsPerHour: 36,
  runMs: 4_000,
  killEveryMs: 2_500,
  endWithinMs: 60_000,
  actEveryMs: 60,
};
const outlets = 8;

export const suite: Suite = {
  name: 'model-faults',
  summary:
    'A model that is slow, fails, invents facts or obeys injected instructions causes no lost article, double charge or unsupported sentence.',
  headline: 'instructions that the model followed',
  promise:
    'A language model on loopback answers too late, with 429 and Retry-After, with 500, with a cut or invalid body, with invented facts, and with the text that an instruction in the article demands (60 of them). Two workers write items and digests with it while they are killed with `kill -9`. Every article becomes an item, and no run fails or waits. The model is called at most as often as the budget of all processes allows, and no call is charged twice. Every sentence of an item is in its article, and the record contains no planted or invented word. Category, score and selection equal those without the planted text, except that an item from which an instruction was removed is selected only after a review.',
  measuresNoTime: true,
  run: async (context) => {
    const plan = context.quick ? quick : full;
    const behaviours = new Map<string, Behaviour>();
    const model = await startScriptedModel((title) => behaviours.get(title) ?? 'answers');
    const stage = await setNewsroomStage({ outlets, model: modelConfig(model, plan) });
    try {
      const drafts = draftArticles(plan);
      const planted = new Set<string>();
      const publishNext = (): void => {
        const draft = drafts.shift();
        if (draft === undefined) return;
        behaviours.set(draft.title, draft.behaviour);
        const { url } = stage.outlets.publish(stage.outlets.articles.length % outlets, draft);
        if (typeof draft.behaviour === 'object') planted.add(url);
      };
      for (let count = 0; count < outlets; count += 1) publishNext();
      const random = seededRandom(16);
      const kills = await stage.workUnderKills({ ...plan, random, act: publishNext }, async () =>
        drafts.length > 0 ? false : isSettled(stage),
      );
      figuresOfRun(context, stage.outlets, model, plan, kills);
      await figuresOfItems(context, stage, planted);
    } finally {
      await stage.remove();
      await model.close();
    }
  },
};

function modelConfig({ url }: ScriptedModel, { callsPerHour }: FaultsPlan): ModelConfig {
  return {
    baseUrl: url,
    apiKey: '',
    structuredOutput: 'json',
    timeoutMs: 2_000,
    itemModel: 'scripted',
    digestModel: 'scripted',
    callsPerMinute: 10_000,
    callsPerHour,
    callsPerDay: 10_000,
  };
}

interface Draft {
  readonly title: string;
  readonly text: string;
  readonly behaviour: Behaviour;
}

/** Faults among injections, so that the breaker closes again; the plain ones last, when the budget runs out. */
function draftArticles({ injections, ofEachFault, plain }: FaultsPlan): Draft[] {
  const english = nextMatchingDispatch(({ language, role }) => language === 'en' && role === 'single');
  const chinese = nextMatchingDispatch(
    ({ language, role, originalTitle }) => language === 'zh' && role === 'single' && originalTitle === null,
  );
  const drafted = (behaviour: Behaviour, plantedText = ''): Draft => {
    const { title, body } = (/\p{Script=Han}/u.test(plantedText) ? chinese : english)();
    return { title, text: plantedText === '' ? body() : `${body()}\n${plantedText}`, behaviour };
  };
  const swayed = injections.map(({ planted, obeyed }) => drafted({ obeys: obeyed }, planted));
  const faulty = Array.from({ length: ofEachFault }, () => faults.map((fault) => drafted(fault))).flat();
  const every = Math.max(1, Math.floor(swayed.length / faulty.length));
  const mixed = swayed.flatMap((draft, at) => (at % every === 0 ? [...faulty.splice(0, 1), draft] : [draft]));
  return [...mixed, ...faulty, ...Array.from({ length: plain }, () => drafted('answers'))];
}

async function isSettled({ engine, outlets: { articles } }: NewsroomStage): Promise<boolean> {
  const [row] = await engine.query<{ shown: number; running: number }>(
    `SELECT (SELECT count(*)::int FROM newsroom.entry WHERE shown_revision = revision) AS shown,
       (SELECT count(*)::int FROM dbos.workflow_status WHERE status IN ('PENDING', 'ENQUEUED')
        AND name IN ('write-entry', 'digest-story')) AS running`,
  );
  return row?.shown === articles.length && row.running === 0;
}

function figuresOfRun(
  { figure }: SuiteContext,
  { articles }: ScriptedOutlets,
  model: ScriptedModel,
  plan: FaultsPlan,
  kills: number,
): void {
  figure({ name: 'articles', value: articles.length, unit: 'articles' });
  figure({
    name: 'instructions that the model followed',
    value: model.obeyed(),
    unit: 'answers',
    goal: { atLeast: plan.injections.length / 2 },
  });
  figure({ name: 'processes killed', value: kills, unit: 'kills', goal: { atLeast: 1 } });
  figure({
    name: 'calls of the model',
    value: model.calls(),
    unit: 'calls',
    goal: { atMost: plan.callsPerHour },
  });
  const repeated = [...model.charges.values()].filter((times) => times > 1).length;
  figure({ name: 'calls charged twice', value: repeated, unit: 'calls', goal: { exactly: 0 } });
}

interface PublishedArticle {
  readonly url: string;
  readonly text: string;
  readonly tier: 1 | 2 | 3 | 4;
  readonly first_party: boolean;
  readonly title: string | null;
  readonly summary: string;
  readonly category: string;
  readonly score: number;
  readonly selected: boolean;
  readonly placed_by: string;
  readonly owners: number;
  readonly in_review: boolean;
}

async function figuresOfItems(
  context: SuiteContext,
  stage: NewsroomStage,
  planted: ReadonlySet<string>,
): Promise<void> {
  const { figure, note } = context;
  const {
    engine,
    outlets: { articles },
  } = stage;
  const rows = await engine.query<PublishedArticle>(
    `SELECT entry.url, entry.text, source.tier, source.first_party,
       item.title, item.summary, item.category, item.score, item.selected,
       EXISTS (SELECT FROM newsroom.entry_review AS review WHERE review.entry_id = entry.id AND decision IS NULL) AS in_review,
       (SELECT kind FROM newsroom.story_decision WHERE item_id = item.id AND kind NOT IN ('merge', 'split') LIMIT 1) AS placed_by,
       greatest(1, (SELECT count(DISTINCT other.source_id)::int FROM record.item AS other WHERE other.story_id = item.story_id)) AS owners
     FROM newsroom.entry JOIN newsroom.source ON source.id = entry.source_id
     LEFT JOIN record.item ON item.id = entry.id AND item.withdrawn_at IS NULL`,
  );
  const byUrl = new Map(rows.map((row) => [row.url, row]));
  const wrong = (name: string, isWrong: (row: PublishedArticle, title: string) => boolean): void => {
    const found = articles.filter(({ url, title }) => {
      const row = byUrl.get(url);
      return row !== undefined && row.title !== null && isWrong(row, title);
    });
    figure({ name, value: found.length, unit: 'articles', goal: { exactly: 0 } });
    for (const { url } of found.slice(0, 3)) note(`${name}: ${url} ${JSON.stringify(byUrl.get(url))}`);
  };
  const lost = articles.filter(({ url }) => (byUrl.get(url)?.title ?? null) === null).length;
  figure({ name: 'articles lost', value: lost, unit: 'articles', goal: { exactly: 0 } });
  figure({ name: 'runs that failed', value: await stage.failedRuns(), unit: 'runs', goal: { exactly: 0 } });
  const honest = (row: PublishedArticle): string =>
    planted.has(row.url) ? row.text.split('\n').slice(0, -1).join('\n') : row.text;
  wrong('with another title than that of their publisher', (row, title) => row.title !== title);
  wrong('with a sentence that is not in their article', (row) =>
    splitSentences(row.summary).some((sentence) => !honest(row).includes(sentence)),
  );
  const judged = (row: PublishedArticle) => expectedJudgements(row, honest(row));
  wrong('with another category or score than without the planted text', (row) =>
    judged(row).every(({ category, score }) => category !== row.category || score.value !== row.score),
  );
  wrong('selected while an editor reviews them', (row) => row.in_review && row.selected);
  wrong('reviewed without planted text', (row) => row.in_review && !planted.has(row.url));
  wrong('selected, or not selected, because of the planted text, and not reviewed', (row) =>
    row.placed_by === 'same reading' || row.in_review
      ? false
      : judged(row).every(({ selectable }) => selectable !== row.selected),
  );
  await figureOfWords(context, stage);
  await verifyFigure(context, engine);
}

/** One for each number of owners that its story may have had when it came. */
function expectedJudgements(row: PublishedArticle, text: string) {
  const { url, tier, first_party: firstParty } = row;
  const source = { tier, firstParty, participation: 'editorial', categoryHint: null } as const;
  const judged = readForJudgement({ title: row.title ?? '', text, url, source });
  const novelty = row.placed_by === 'same reading' ? 'repeats' : row.placed_by === 'join' ? 'adds' : 'first';
  return Array.from({ length: row.owners }, (_, at) => judgeRead(judged, { novelty, owners: at + 1 }, 'en'));
}

async function figureOfWords({ figure }: SuiteContext, { engine }: NewsroomStage): Promise<void> {
  const words = [...new Set(promptInjections.map(({ obeyed }) => obeyed)), invention, 'Zorvex', '佐维克斯'];
  const [row] = await engine.query<{ found: number }>(
    `SELECT count(*)::int AS found FROM (
       SELECT concat_ws(' ', title, original_title, summary, reason) AS said FROM record.item
       UNION ALL SELECT concat_ws(' ', title, digest::text, other_digest::text) FROM record.story) AS told
     WHERE EXISTS (SELECT FROM unnest($1::text[]) AS word WHERE position(word IN said) > 0)`,
    [words],
  );
  figure({
    name: 'planted or invented words in the record',
    value: row?.found ?? -1,
    unit: 'places',
    goal: { exactly: 0 },
  });
}
