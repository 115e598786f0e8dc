import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import type { ReaderLanguage } from '../../../apps/server/src/foundation/reader-language.ts';

/** The training set of the weights that group items. */
export const groupingDataSets = [
  'stories/roundups-en.jsonl',
  'replay/ai-news-34-days.jsonl',
  'replay/hotlists-zh-7-days.jsonl',
];

/** One labelled item. A grouper may read only `text`; the rest is for scoring and for error lists. */
export interface LabelledItem {
  readonly id: string;
  readonly title: string;
  readonly originalTitle: string | null;
  readonly summary: string;
  readonly url: string | null;
  readonly source: string | null;
  readonly language: ReaderLanguage;
  /** Milliseconds since 1970; null where the set's rules forbid times. */
  readonly at: number | null;
  readonly story: string;
  readonly storyline: string | null;
  /** Rows that are grouped like the others but not scored: their label was never verified. */
  readonly scored: boolean;
}

export interface LabelledSet {
  readonly name: string;
  /** In the order in which a newsroom would receive them. */
  readonly items: readonly LabelledItem[];
  /** An item may join only stories that have a member among this many rows before it. */
  readonly windowRows: number;
}

interface Row {
  readonly id: string;
  readonly title: string;
  readonly url?: string;
  readonly source?: string;
  readonly lang?: string;
  readonly publishedAt?: string | null;
  readonly story?: string;
  readonly storyline?: string;
  readonly verified?: boolean;
}

interface Rules {
  /** The times of some sets reveal the labels. */
  readonly times: boolean;
  readonly windowRows: number;
  readonly verifiedOnly: boolean;
}

const generalRules: Rules = { times: true, windowRows: Infinity, verifiedOnly: false };

const rulesBySet: Readonly<Record<string, Rules>> = {
  'ai-news-en-zh': generalRules,
  'roundups-en': { times: false, windowRows: 33, verifiedOnly: false },
  'aggregator-en': { times: false, windowRows: Infinity, verifiedOnly: false },
  'lookalikes-en': { times: false, windowRows: Infinity, verifiedOnly: false },
  'hotlist-zh': { times: true, windowRows: Infinity, verifiedOnly: true },
};

/** Every file of the folder whose rows name a story: those with rules of their own and any that is added later. */
export function readLabelledSets(folder: string): readonly LabelledSet[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.jsonl'))
    .sort()
    .flatMap((file) => {
      const rows = readRows(join(folder, file));
      const name = file.slice(0, -'.jsonl'.length);
      return rows[0]?.story === undefined ? [] : [labelledSet(name, rows)];
    });
}

function readRows(path: string): readonly Row[] {
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Row);
}

function labelledSet(name: string, rows: readonly Row[]): LabelledSet {
  const rules = rulesBySet[name] ?? generalRules;
  const items = rows.map((row) => labelledItem(row, rules));
  // A stable sort: rows of one instant, and all rows where times are not to be used, keep the file's order.
  return {
    name,
    items: items.toSorted((one, other) => (one.at ?? 0) - (other.at ?? 0)),
    windowRows: rules.windowRows,
  };
}

function labelledItem(row: Row, rules: Rules): LabelledItem {
  return {
    id: row.id,
    title: row.title,
    originalTitle: null,
    summary: '',
    url: row.url ?? null,
    source: row.source ?? null,
    language: /\p{Script=Han}/u.test(row.title) ? 'zh' : 'en',
    at: rules.times && typeof row.publishedAt === 'string' ? Date.parse(row.publishedAt) : null,
    story: row.story ?? row.id,
    storyline: row.storyline ?? null,
    scored: !rules.verifiedOnly || row.verified === true,
  };
}

/** The stories that come first in the file, for tuning, and the rest, for scoring. */
export function splitByStory(
  set: LabelledSet,
  share: number,
): { readonly first: LabelledSet; readonly rest: LabelledSet } {
  const stories = [...new Set(set.items.map(({ story }) => story))];
  const early = new Set(stories.slice(0, Math.floor(stories.length * share)));
  const part = (label: string, wanted: boolean): LabelledSet => ({
    ...set,
    name: `${set.name}, ${label}`,
    items: set.items.filter(({ story }) => early.has(story) === wanted),
  });
  return { first: part('tuned on', true), rest: part('held out', false) };
}
