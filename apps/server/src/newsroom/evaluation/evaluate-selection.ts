import { labelledRows } from '../../foundation/evaluation/labelled-lines.ts';
import type { Rate } from '../../foundation/evaluation/rate.ts';
import { rateOf } from '../../foundation/evaluation/rate.ts';
import { extractArticle } from '../../ingest/extract/index.ts';
import type { Category } from '../../record/index.ts';
import type { ItemToJudge, Judgement, Kind } from '../copy/judgement/index.ts';
import { isSelectableKind, judge } from '../copy/judgement/index.ts';
import type { AucInterval, Labelled, SweepRow } from './selection-figures.ts';
import {
  aucWithInterval,
  pairwiseAuc,
  precisionAtEditorsRate,
  sweepThresholds,
} from './selection-figures.ts';

/** One line of a labelled file. Only the title is required; missing values count as average, missing labels as unknown. */
interface LabelledItem {
  readonly title: string;
  readonly selected?: boolean;
  readonly text?: string;
  /** Read for its text if the row has none; relative to the labelled file. */
  readonly page?: string;
  readonly language?: string;
  readonly url?: string | null;
  readonly tier?: 1 | 2 | 3 | 4;
  readonly firstParty?: boolean;
  readonly categoryHint?: Category;
  readonly novelty?: ItemToJudge['novelty'];
  readonly owners?: number;
  /** Items of one source and day are compared with each other. */
  readonly source?: string;
  readonly day?: string;
  readonly aiIndustry?: boolean;
  readonly kind?: Kind;
  /** Whether an AI news service would select it; used if `selected` is missing. Null if both answers are defensible. */
  readonly worthSelecting?: boolean | null;
}

interface JudgedItem {
  readonly item: LabelledItem;
  readonly judgement: Judgement;
}

export interface SelectionEvaluation {
  readonly items: number;
  readonly selected: number;
  readonly auc: number | null;
  /** Among items of one source and day; null without them. */
  readonly aucWithinGroups: AucInterval | null;
  readonly precisionAtEditorsRate: number;
  /** Of relevance, kind and selection, for the labels that the rows have. */
  readonly rates: readonly Rate[];
  /** Of relevance; null without labels. */
  readonly relevanceF1: number | null;
  readonly sweep: readonly SweepRow[];
}

/** Judges every line of a JSON Lines text and compares it with its labels. Throws an error with the first bad line. */
export function evaluateSelection(
  text: string,
  readPage: (page: string) => string = () => '',
): SelectionEvaluation {
  const items = labelledRows<LabelledItem>(text, { title: 'text' });
  for (const { tier, title, selected } of items) {
    if (tier !== undefined && ![1, 2, 3, 4].includes(tier))
      throw new Error(`"${title}": "tier" must be 1, 2, 3 or 4`);
    if (selected !== undefined && typeof selected !== 'boolean')
      throw new Error(`"${title}": "selected" must be true or false`);
  }
  const judged = items.map((item) => ({ item, judgement: judgeItem(item, readPage) }));
  const labelled = judged.flatMap(labelledOf);
  const relevance = relevanceRates(judged);
  return {
    items: items.length,
    selected: labelled.filter(({ selected }) => selected).length,
    auc: pairwiseAuc([labelled])?.auc ?? null,
    aucWithinGroups: aucWithInterval(groupsOf(judged)),
    precisionAtEditorsRate: precisionAtEditorsRate(labelled),
    rates: [...relevance.rates, ...kindRates(judged), ...selectedRates(judged)],
    relevanceF1: relevance.f1,
    sweep: sweepThresholds(labelled),
  };
}

function judgeItem(item: LabelledItem, readPage: (page: string) => string): Judgement {
  const {
    title,
    text = textOfPage(item, readPage),
    url,
    tier = 2,
    firstParty = false,
    categoryHint = null,
  } = item;
  const source = { tier, firstParty, categoryHint, participation: 'editorial' as const };
  const { novelty = 'first', owners = 1 } = item;
  return judge({ title, text, url: url ?? '', source, novelty, owners }, 'en');
}

function textOfPage({ page, url, language }: LabelledItem, readPage: (page: string) => string): string {
  if (page === undefined) return '';
  const article = extractArticle(readPage(page), url ?? 'https://page.example/', language ?? 'en');
  return article.ok ? article.value.text : '';
}

/** What cannot be selected counts as a score of 0. */
function labelledOf({ item, judgement }: JudgedItem): Labelled[] {
  const selected = item.selected ?? item.worthSelecting;
  if (typeof selected !== 'boolean') return [];
  const canBeSelected = judgement.relevance.isRelevant && isSelectableKind(judgement.kind);
  return [{ score: canBeSelected ? judgement.score.value : 0, selected }];
}

function groupsOf(judged: readonly JudgedItem[]): Labelled[][] {
  const grouped = judged.filter(({ item }) => item.source !== undefined && item.day !== undefined);
  return [...Map.groupBy(grouped, ({ item }) => `${item.source} ${item.day}`).values()].map((group) =>
    group.flatMap(labelledOf),
  );
}

function relevanceRates(judged: readonly JudgedItem[]): { rates: Rate[]; f1: number | null } {
  const known = judged.filter(({ item }) => typeof item.aiIndustry === 'boolean');
  if (known.length === 0) return { rates: [], f1: null };
  const answered = known.filter(({ judgement }) => judgement.relevance.isRelevant);
  const truth = known.filter(({ item }) => item.aiIndustry === true);
  const both = answered.filter(({ item }) => item.aiIndustry === true).length;
  const declined = truth.filter(({ judgement }) => judgement.relevance.isOffTopic).length;
  return {
    rates: [
      rateOf('judged to be about the AI industry that are (precision)', both, answered.length),
      rateOf('about the AI industry that are judged to be (recall)', both, truth.length),
      rateOf('about the AI industry that would be declined', declined, truth.length),
    ],
    f1: answered.length + truth.length === 0 ? null : (2 * both) / (answered.length + truth.length),
  };
}

function kindRates(judged: readonly JudgedItem[]): Rate[] {
  const known = judged.filter(({ item }) => item.kind !== undefined);
  if (known.length === 0) return [];
  const right = known.filter(({ item, judgement }) => item.kind === judgement.kind).length;
  const rightSide = known.filter(
    ({ item, judgement }) =>
      item.kind !== undefined && isSelectableKind(item.kind) === isSelectableKind(judgement.kind),
  ).length;
  return [
    rateOf('kinds that are right', right, known.length),
    rateOf('kinds that are right about whether the item can be selected', rightSide, known.length),
  ];
}

function selectedRates(judged: readonly JudgedItem[]): Rate[] {
  const chosen = judged.filter(({ item, judgement }) => judgement.selectable && item.kind !== undefined);
  if (chosen.length === 0) return [];
  const news = chosen.filter(({ item }) => item.kind !== undefined && isSelectableKind(item.kind)).length;
  return [rateOf('selected items that are news, papers, releases or analysis', news, chosen.length)];
}
