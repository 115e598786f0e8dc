import { systemClock } from '../../../apps/server/src/foundation/clock.ts';
import { requestOnce } from '../news/http-question.ts';
import { lastCheckBefore, untilRight, withdrawByCommand } from '../news/watch-withdrawal.ts';
import type { LivingStage } from './living-stage.ts';
import type { ScriptedArticle } from './scripted-outlets.ts';

/** The course of one story, from its first item to a withdrawal. Times are from an action until both processes showed it. */
export interface LivedStory {
  readonly shownMs: number;
  readonly revisedMs: number;
  readonly joinedMs: number;
  readonly rankedMs: number;
  readonly disputedMs: number;
  /** From the commit. */
  readonly withdrawnMs: number;
  /** Messages of the failed promises. */
  readonly wrong: readonly string[];
}

/** Between which steps the workers may be killed. */
export const storySteps = ['stored', 'published', 'joined', 'ranking', 'digest', 'revised'] as const;
export type StoryStep = (typeof storySteps)[number];

const rankingEveryMs = 300_000;
/** Of a step whose workers were killed: two starts of a process on a busy machine. */
const stepWithinMs = 60_000;

interface ItemAnswer {
  readonly items: readonly {
    readonly id: string;
    readonly title: string;
    readonly selected: boolean;
    readonly links: { readonly original: string; readonly story: string | null };
  }[];
}

/** What a story is about: each of another kind, so that none is taken for another. */
export interface StorySubject {
  /** No word of the simulated world, whose articles surround the story. */
  readonly name: string;
  /** As two owners publish it, and again after an edit. */
  readonly titles: readonly [first: string, edited: string, second: string];
  readonly texts: readonly [first: string, second: string];
  readonly dispute: { readonly title: string; readonly text: string; readonly figure: string };
}

/** Published, edited, published by another owner, ranked, disputed by a third, withdrawn. */
export async function liveStory(
  stage: LivingStage,
  { name, titles, texts, dispute }: StorySubject,
  kill: (step: StoryStep, article: ScriptedArticle) => void,
): Promise<LivedStory> {
  const wrong: string[] = [];
  const passes = async (what: string, isSo: (port: number) => Promise<boolean>): Promise<number> => {
    const tookMs = await untilEverywhere(stage, isSo);
    if (tookMs > stepWithinMs)
      wrong.push(`${name}: not ${what} within ${stepWithinMs} ms; now ${await standing(stage, name)}`);
    return tookMs;
  };
  const first = report(stage, 0, titles[0], texts[0]);
  kill('stored', first);
  kill('published', first);
  const shownMs = await passes('shown', (port) => isShown(port, name));
  kill('revised', first);
  first.title = titles[1];
  const revisedMs = await passes('revised', (port) => isOnly(port, name, first.title));
  const second = report(stage, 1, titles[2], texts[1]);
  kill('joined', second);
  const joinedMs = await passes('joined', (port) => isCited(port, name, 2));
  kill('ranking', second);
  stage.moveTo(nextSlot(stage));
  const rankedMs = await passes('ranked', (port) => isRanked(port, name));
  const third = report(stage, 2, dispute.title, dispute.text);
  kill('digest', third);
  const disputedMs = await passes('disputed', (port) => isDisputed(port, name, dispute.figure));
  const withdrawnMs = await withdraw(stage, name, second.title);
  return { shownMs, revisedMs, joinedMs, rankedMs, disputedMs, withdrawnMs, wrong };
}

/** Until it is so on every process; how long that took. */
async function untilEverywhere(
  { ports }: LivingStage,
  isSo: (port: number) => Promise<boolean>,
): Promise<number> {
  const beganMs = systemClock.nowMs();
  const looks = ports.map((port) => untilRight(() => isSo(port), { withinMs: stepWithinMs, everyMs: 100 }));
  return Math.max(...(await Promise.all(looks))) - beganMs;
}

/** By the shipped command; from the commit until no surface shows it and the correction is listed. */
async function withdraw(stage: LivingStage, name: string, title: string): Promise<number> {
  const { ports, engine, root } = stage;
  const item = (await search(ports[0] ?? 0, name)).find((one) => one.title === title);
  if (item?.links.story === null || item === undefined) throw new Error(`${title} is in no story`);
  const reason = `The report on ${name} was retracted.`;
  const paths = [
    `/api/v1/items?mode=all&q=${name}`,
    `/feeds/search.atom?q=${name}`,
    `/agent/search.md?q=${name}`,
    '/api/v1/hot-topics',
    `/items/${item.id}`,
    new URL(item.links.story).pathname,
  ];
  const gone = ports.flatMap((port) => [
    ...paths.map((path) => async () => !(await requestOnce(port, path)).text.includes(title)),
    async () => (await requestOnce(port, '/api/v1/corrections')).text.includes(reason),
  ]);
  const looks = gone.map((isGone) => untilRight(isGone));
  const committed = lastCheckBefore(async () => {
    const rows = await engine.query('SELECT FROM record.correction WHERE reason = $1', [reason]);
    return rows.length > 0;
  });
  const urls = { application: engine.applicationUrl, newsReader: engine.newsReaderUrl };
  await withdrawByCommand(root, urls, item.id, reason);
  const committedMs = await committed;
  return Math.max(...(await Promise.all(looks))) - committedMs;
}

function report(
  { outlets, nowMs }: LivingStage,
  outlet: number,
  title: string,
  text: string,
): ScriptedArticle {
  return outlets.publish(outlet, { title, text }, new Date(nowMs()));
}

function nextSlot({ nowMs }: LivingStage): number {
  return Math.ceil(nowMs() / rankingEveryMs) * rankingEveryMs;
}

async function search(port: number, word: string): Promise<ItemAnswer['items']> {
  const { status, text } = await requestOnce(port, `/api/v1/items?mode=all&q=${word}`);
  return status === 200 ? (JSON.parse(text) as ItemAnswer).items : [];
}

/** An edited article remains one item. */
async function isOnly(port: number, word: string, title: string): Promise<boolean> {
  const items = await search(port, word);
  return items.length === 1 && items[0]?.title === title;
}

/** In the API, the feed and the Markdown for agents, and, once it is selected, in the mirror. */
export async function isShown(port: number, word: string): Promise<boolean> {
  const [item] = await search(port, word);
  if (item === undefined) return false;
  const paths = [
    `/feeds/search.atom?q=${word}`,
    `/agent/search.md?q=${word}`,
    ...(item.selected ? ['/api/v1/selected/snapshot?limit=1000'] : []),
  ];
  const answers = await Promise.all(paths.map((path) => requestOnce(port, path)));
  return answers.every(({ text }) => text.includes(item.links.original));
}

interface StoryAnswer {
  readonly story: {
    readonly reports: readonly { readonly id: string }[];
    readonly digest: { readonly contradictions: readonly { readonly statement: string }[] } | null;
  };
}

async function storyOf(port: number, word: string): Promise<StoryAnswer['story'] | null> {
  const stories = new Set((await search(port, word)).map(({ links }) => links.story));
  const [only] = stories;
  if (stories.size !== 1 || only === null || only === undefined) return null;
  const { status, text } = await requestOnce(port, `/api/v1/stories/${only.split('/').at(-1)}`);
  return status === 200 ? (JSON.parse(text) as StoryAnswer).story : null;
}

/** Diagnostics for a failed promise. */
async function standing({ ports }: LivingStage, word: string): Promise<string> {
  const [port = 0] = ports;
  const [items, story] = [await search(port, word), await storyOf(port, word)];
  const reports = items.map(({ title, links }) => `"${title}" in ${links.story ?? 'no story'}`).join(', ');
  const { digest } = story ?? {};
  const statements = digest?.contradictions.map(({ statement }) => statement).join(' ');
  return `${reports}; digest: ${digest ? `contradictions [${statements}]` : 'none'}`;
}

async function isCited(port: number, word: string, reports: number): Promise<boolean> {
  return (await storyOf(port, word))?.reports.length === reports;
}

async function isDisputed(port: number, word: string, figure: string): Promise<boolean> {
  return (
    (await storyOf(port, word))?.digest?.contradictions.some(({ statement }) =>
      statement.includes(figure),
    ) === true
  );
}

async function isRanked(port: number, word: string): Promise<boolean> {
  const { status, text } = await requestOnce(port, '/api/v1/hot-topics');
  if (status !== 200) return false;
  const { items } = JSON.parse(text) as { items: readonly { title: string; sourceCount: number }[] };
  return items.some(({ title, sourceCount }) => title.includes(word) && sourceCount === 2);
}
