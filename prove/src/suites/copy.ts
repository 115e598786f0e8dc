import type { Suite, SuiteContext } from '@daybook/evidence';
import { seededRandom } from '@daybook/evidence';

import type { EngineStage } from '../engine/engine-stage.ts';
import type { KillPlan, NewsroomStage } from '../newsroom/newsroom-stage.ts';
import { setNewsroomStage, nextMatchingDispatch, verifyFigure } from '../newsroom/newsroom-stage.ts';
import type { ScriptedArticle } from '../newsroom/scripted-outlets.ts';

const full = { outlets: 12, runMs: 90_000, killEveryMs: 5_000, endWithinMs: 180_000, actEveryMs: 250 };
const quick = { outlets: 6, runMs: 4_500, killEveryMs: 2_000, endWithinMs: 30_000, actEveryMs: 60 };

export const suite: Suite = {
  name: 'copy',
  nightly: true,
  summary:
    'Each feed entry becomes exactly one item, edits revise it and a publisher’s withdrawal removes it, while workers are killed.',
  headline: 'processes killed',
  promise:
    'Two workers poll publishers on loopback. Publishers add articles, edit them, drop them from their feeds and withdraw them (410), while workers are killed with `kill -9` at random moments. Each article becomes exactly one item and is placed in a story once. The item has the publisher’s latest title. Withdrawn articles are removed; articles that only left their feed are not. No run of the engine fails, no entry waits, and `record verify` finds no fault.',
  measuresNoTime: true,
  run: async (context) => {
    const plan = context.quick ? quick : full;
    const stage = await setNewsroomStage({ outlets: plan.outlets, model: null });
    try {
      const { outlets } = stage;
      const random = seededRandom(15);
      const act = scriptOf(stage, plan.outlets, random);
      const kills = await stage.workUnderKills({ ...plan, random, act }, async () =>
        isSettled(await compare(stage.engine, outlets.articles)),
      );
      await figuresOf(context, stage, plan, kills);
    } finally {
      await stage.remove();
    }
  },
};

/** Each outlet begins with an article that stays: what leaves before an older one did not merely grow old. */
function scriptOf({ outlets, engine }: NewsroomStage, count: number, random: () => number): () => void {
  const nextDispatch = nextMatchingDispatch(({ language }) => language === 'en');
  const publish = (outlet: number, publishedAt?: Date): void => {
    const { title, body } = nextDispatch();
    outlets.publish(outlet, { title, text: body() }, publishedAt);
  };
  for (let outlet = 0; outlet < count; outlet += 1) publish(outlet, new Date(Date.now() - 7_200_000));
  let published = new Set<string>();
  let reading = false;
  const readPublished = async (): Promise<void> => {
    if (reading) return;
    reading = true;
    const rows = await engine.query<{ original_url: string }>('SELECT original_url FROM record.item');
    published = new Set(rows.map(({ original_url }) => original_url));
    reading = false;
  };
  const oneOf = (): ScriptedArticle | undefined => {
    const listed = outlets.articles.slice(count).filter(({ state }) => state === 'listed');
    const shown = listed.filter(({ url }) => published.has(url));
    // Most of what is edited or withdrawn has been published; some has not.
    const from = shown.length > 0 && random() < 0.8 ? shown : listed;
    return from[Math.floor(random() * from.length)];
  };
  return () => {
    void readPublished();
    const draw = random();
    if (draw < 0.55) return publish(Math.floor(random() * count));
    const article = oneOf();
    if (article === undefined) return;
    if (draw < 0.85) edit(article);
    else article.state = draw < 0.95 ? 'withdrawn' : 'vanished';
  };
}

function edit(article: ScriptedArticle): void {
  article.edits += 1;
  const [title = ''] = article.title.split(', version ');
  article.title = `${title}, version ${article.edits + 1}`;
  article.text += ` The report was extended ${article.edits} times since.`;
}

interface StoredArticle {
  readonly url: string;
  readonly is_shown: boolean;
  readonly item_title: string | null;
  readonly is_withdrawn: boolean | null;
  readonly placements: number;
}

interface CopyEvidence {
  readonly published: number;
  /** Of the articles that were withdrawn, those that had been published. */
  readonly publishedBefore: number;
  readonly missing: readonly string[];
  readonly doubled: readonly string[];
  readonly notRevised: readonly string[];
  readonly stillShown: readonly string[];
  readonly wronglyWithdrawn: readonly string[];
  readonly waiting: number;
}

async function compare({ query }: EngineStage, articles: readonly ScriptedArticle[]): Promise<CopyEvidence> {
  const rows = await query<StoredArticle>(
    `SELECT entry.url, entry.shown_revision IS NOT DISTINCT FROM entry.revision AS is_shown,
       item.title AS item_title, item.withdrawn_at IS NOT NULL AS is_withdrawn,
       (SELECT count(*)::int FROM newsroom.story_decision AS decision
        WHERE decision.item_id = entry.id AND decision.kind NOT IN ('merge', 'split')) AS placements
     FROM newsroom.entry LEFT JOIN record.item ON item.id = entry.id`,
  );
  const stored = Map.groupBy(rows, ({ url }) => url);
  const of = (
    states: readonly string[],
    isWrong: (rows: readonly StoredArticle[], article: ScriptedArticle) => boolean,
  ) =>
    articles
      .filter((article) => states.includes(article.state) && isWrong(stored.get(article.url) ?? [], article))
      .map(({ url }) => url);
  const stands = ({ item_title, is_withdrawn }: StoredArticle): boolean =>
    item_title !== null && is_withdrawn !== true;
  return {
    published: rows.filter(({ item_title }) => item_title !== null).length,
    publishedBefore: of(['withdrawn'], (found) => found.some(({ item_title }) => item_title !== null)).length,
    missing: of(['listed'], (found) => !found.some(({ item_title }) => item_title !== null)),
    doubled: [...stored]
      .filter(([, found]) => found.length > 1 || found.some(({ placements }) => placements > 1))
      .map(([url]) => url),
    notRevised: of(['listed'], (found, { title }) =>
      found.some((row) => stands(row) && row.item_title !== title),
    ),
    stillShown: of(['withdrawn'], (found) => found.some(stands)),
    wronglyWithdrawn: of(['listed', 'vanished'], (found) =>
      found.some(({ is_withdrawn }) => is_withdrawn === true),
    ),
    waiting: rows.filter(({ is_shown }) => !is_shown).length,
  };
}

function isSettled({ missing, notRevised, stillShown, waiting }: CopyEvidence): boolean {
  return missing.length + notRevised.length + stillShown.length + waiting === 0;
}

async function figuresOf(
  context: SuiteContext,
  stage: NewsroomStage,
  plan: Pick<KillPlan, 'runMs' | 'killEveryMs'>,
  kills: number,
): Promise<void> {
  const { figure, note } = context;
  const { articles } = stage.outlets;
  const evidence = await compare(stage.engine, articles);
  const count = (state: ScriptedArticle['state']): number =>
    articles.filter((one) => one.state === state).length;
  figure({ name: 'articles', value: articles.length, unit: 'articles', goal: { atLeast: 20 } });
  figure({ name: 'edits', value: articles.reduce((sum, { edits }) => sum + edits, 0), unit: 'edits' });
  figure({ name: 'withdrawn', value: count('withdrawn'), unit: 'articles', goal: { atLeast: 1 } });
  figure({
    name: 'of these published before',
    value: evidence.publishedBefore,
    unit: 'articles',
    // A busy machine may publish nothing in the seconds of a quick run.
    ...(!context.quick && { goal: { atLeast: 10 } }),
  });
  figure({ name: 'dropped from their feeds', value: count('vanished'), unit: 'articles' });
  const killsMin = Math.floor(plan.runMs / plan.killEveryMs / 2);
  figure({ name: 'processes killed', value: kills, unit: 'kills', goal: { atLeast: killsMin } });
  figure({ name: 'items', value: evidence.published, unit: 'items' });
  const wrong = {
    'not published': evidence.missing,
    'published twice': evidence.doubled,
    'not revised': evidence.notRevised,
    'withdrawn by their publisher, but published': evidence.stillShown,
    'withdrawn, but not by their publisher': evidence.wronglyWithdrawn,
  };
  for (const [name, urls] of Object.entries(wrong)) {
    figure({ name, value: urls.length, unit: 'articles', goal: { exactly: 0 } });
    for (const url of urls.slice(0, 3)) note(`${name}: ${url}`);
  }
  figure({ name: 'entries that still wait', value: evidence.waiting, unit: 'entries', goal: { exactly: 0 } });
  figure({ name: 'runs that failed', value: await stage.failedRuns(), unit: 'runs', goal: { exactly: 0 } });
  await verifyFigure(context, stage.engine);
}
