import { readFileSync } from 'node:fs';

import type { Suite, SuiteContext } from '@daybook/evidence';
import { quantile, seededRandom } from '@daybook/evidence';
import { createWorld } from '@daybook/newswire';

import {
  decideCategory,
  isSelectableKind,
  judge,
} from '../../../apps/server/src/newsroom/copy/judgement/index.ts';
import type { Labelled } from '../../../apps/server/src/newsroom/evaluation/index.ts';
import { pairwiseAuc, precisionAtEditorsRate } from '../../../apps/server/src/newsroom/evaluation/index.ts';
import type { Category } from '../../../apps/server/src/record/index.ts';
import { categories } from '../../../apps/server/src/record/index.ts';
import { readRows } from '../checker/cited-text.ts';

/** Rules and weights were written with the days before; entries from this day on were not read. */
const firstHeldOutDay = '2026-03-05';
const heldOutSeed = 9003;

export const suite: Suite = {
  name: 'judgement',
  measuresNoTime: true,
  summary: 'categories and scores compared with the choices of people',
  promise:
    'Within one source and one day, the items that an editor selected score above the others in at least 60 of 100 pairs. The source is not a feature; days up to 4 March were used to write the rules, later days are scored. The category is right for at least 95 % of simulated reports and 75 % of 150 real titles that were labelled by hand before the rules were written; the same person labelled them and wrote the rules, and at most 25 titles are from arXiv.',
  dataSets: ['replay/selection-candidates.jsonl', 'replay/ai-news-34-days.jsonl', 'sources/ai-industry.json'],
  run: async (context) => {
    const data = context.data('.');
    selectionFigures(context, data);
    newswireCategories(context);
    realCategories(context, data);
  },
};

interface Candidate {
  readonly day: string;
  readonly title: string;
  readonly url: string;
  readonly source: string;
  readonly rawScore: number;
  readonly selected: boolean;
}

function selectionFigures(context: SuiteContext, data: string): void {
  const all = readRows<Candidate>(`${data}/replay/selection-candidates.jsonl`);
  const heldOut = all.filter(({ day }) => day >= firstHeldOutDay);
  const groups = groupsOf(heldOut, scoreCandidate);
  const [low, high] = aucInterval(groups);
  context.figure({
    name: 'candidates of the scored days',
    value: heldOut.length,
    unit: 'candidates',
  });
  context.figure({
    name: 'pairs of one source and day',
    value: pairwiseAuc(groups)?.pairs ?? 0,
    unit: 'pairs',
  });
  context.figure({
    name: 'AUC over these pairs',
    value: pairwiseAuc(groups)?.auc ?? 0,
    unit: '',
    goal: { atLeast: 0.6 },
  });
  context.note(`95 % interval over sources and days: ${low.toFixed(3)} to ${high.toFixed(3)}`);
  const raw = pairwiseAuc(groupsOf(heldOut, ({ rawScore }) => rawScore))?.auc ?? 0;
  context.figure({ name: 'AUC of the file’s own rawScore', value: raw, unit: '' });
  const everything = pairwiseAuc(groupsOf(all, scoreCandidate))?.auc ?? 0;
  context.figure({
    name: 'AUC over all days, including those used for the rules',
    value: everything,
    unit: '',
  });
  const flat = heldOut.map((one) => ({ score: scoreCandidate(one), selected: one.selected }));
  context.figure({
    name: 'precision at the editor’s own rate',
    value: 100 * precisionAtEditorsRate(flat),
    unit: '%',
  });
  const rate = (100 * heldOut.filter(({ selected }) => selected).length) / heldOut.length;
  context.figure({ name: 'the editor’s own rate', value: rate, unit: '%' });
}

/** All sources are equal: only title and address differ. */
function scoreCandidate({ title, url }: Candidate): number {
  const source = { tier: 2, firstParty: false, participation: 'editorial', categoryHint: null } as const;
  const judgement = judge({ title, url, text: '', source, novelty: 'first', owners: 1 }, 'en');
  return isSelectableKind(judgement.kind) ? judgement.score.value : 0;
}

function groupsOf(candidates: readonly Candidate[], score: (one: Candidate) => number): Labelled[][] {
  const groups = Map.groupBy(candidates, ({ source, day }) => `${source} ${day}`);
  return [...groups.values()].map((group) =>
    group.map((one) => ({ score: score(one), selected: one.selected })),
  );
}

/** Groups are drawn, not pairs: pairs of one day share its news. */
function aucInterval(groups: readonly (readonly Labelled[])[]): readonly [number, number] {
  const random = seededRandom(5);
  const draws = Array.from({ length: 500 }, () => {
    const drawn = groups.map(() => groups[Math.floor(random() * groups.length)] ?? []);
    return pairwiseAuc(drawn)?.auc ?? 0.5;
  });
  return [quantile(draws, 0.025), quantile(draws, 0.975)];
}

interface LabelledTitle {
  readonly truth: Category;
  readonly answer: Category;
}

function newswireCategories(context: SuiteContext): void {
  const days = context.quick ? 6 : 40;
  const world = createWorld({ seed: heldOutSeed, startsAt: Date.UTC(2026, 9, 1), days, itemsPerDay: 150 });
  const titles: LabelledTitle[] = [];
  for (const dispatch of world.dispatches()) {
    // A roundup has several topics.
    if (dispatch.role === 'roundup') continue;
    const { title, url, category } = dispatch;
    titles.push({
      truth: category,
      answer: decideCategory({ title, text: dispatch.body(), url, hint: null }).category,
    });
  }
  context.figure({ name: 'simulated reports', value: titles.length, unit: 'reports' });
  const value = accuracy(titles);
  context.figure({ name: 'category right, simulated reports', value, unit: '%', goal: { atLeast: 95 } });
}

function realCategories(context: SuiteContext, data: string): void {
  const hints = sourceHints(data);
  const rows = readRows<{ id: string; title: string; url: string; lang: string }>(
    `${data}/replay/ai-news-34-days.jsonl`,
  );
  for (const [file, goal] of [
    ['held-out', { goal: { atLeast: 75 } }],
    ['development', {}],
  ] as const) {
    const path = new URL(`../judgement/category-labels-${file}.json`, import.meta.url);
    const labels = JSON.parse(readFileSync(path, 'utf8')) as Record<string, Category>;
    const titles = rows.flatMap(({ id, title, url }) => {
      const truth = labels[id];
      if (truth === undefined) return [];
      return [{ truth, answer: decideCategory({ title, text: '', url, hint: hints(url) }).category, url }];
    });
    context.figure({
      name: `category right, real titles, ${file} (${titles.length})`,
      value: accuracy(titles),
      unit: '%',
      ...goal,
    });
    if (file === 'development') continue;
    const others = titles.filter(({ url }) => !url.includes('arxiv.org'));
    context.figure({ name: `without arXiv (${others.length})`, value: accuracy(others), unit: '%' });
    confusionTable(context, titles);
  }
}

function accuracy(titles: readonly LabelledTitle[]): number {
  return (100 * titles.filter(({ truth, answer }) => truth === answer).length) / Math.max(1, titles.length);
}

function confusionTable(context: SuiteContext, titles: readonly LabelledTitle[]): void {
  const cell = (text: string | number): string => String(text).padStart(12);
  context.note(`${'true \\ answered'.padEnd(16)}${categories.map(cell).join('')}`);
  for (const truth of categories) {
    const mine = titles.filter((one) => one.truth === truth);
    const counts = categories.map((answer) => cell(mine.filter((one) => one.answer === answer).length));
    context.note(`${truth.padEnd(16)}${counts.join('')}`);
  }
}

/** The hint a registry would give: that of the starter list where all feeds of a host agree. */
function sourceHints(data: string): (url: string) => Category | null {
  const path = `${data}/sources/ai-industry.json`;
  const sources = JSON.parse(readFileSync(path, 'utf8')) as { siteUrl: string; categoryHint: Category }[];
  const byHost = Map.groupBy(sources, ({ siteUrl }) => hostOf(siteUrl));
  return (url) => {
    const hints = new Set((byHost.get(hostOf(url)) ?? []).map(({ categoryHint }) => categoryHint));
    return hints.size === 1 ? ([...hints][0] ?? null) : null;
  };
}

function hostOf(url: string): string {
  return URL.parse(url)?.host.replace(/^www\./u, '') ?? '';
}
