import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { LabelledItem } from './labelled-set.ts';

/** The label from a person who read both titles. */
export const pairLabels = ['same-fact', 'same-story', 'same-storyline', 'unrelated'] as const;
export type PairLabel = (typeof pairLabels)[number];

export interface LabelledPair {
  readonly earlier: LabelledItem;
  readonly later: LabelledItem;
  readonly label: PairLabel;
}

/** One file of labels with all labelled items, in order of discovery. */
export interface PairLabelSet {
  readonly name: string;
  readonly items: readonly LabelledItem[];
  readonly pairs: readonly LabelledPair[];
}

interface ReplayRow {
  readonly id: string | number;
  readonly day?: string;
  readonly title: string;
  readonly url: string;
  readonly platform?: string;
  readonly source?: string;
  readonly publishedAt?: string | null;
  readonly discoveredAt?: string;
  readonly firstSeen?: string;
}

/** Items of these days are in the sets that are only scored: they are excluded from training. */
const aiNewsFrom = '2026-05-04';
const hotlistDays: ReadonlySet<string> = new Set(['2025-12-21', '2025-12-22']);

/** Our own labels, with the items they name. */
export function readPairLabels(dataFolder: string): readonly PairLabelSet[] {
  const aiNews = join(dataFolder, 'replay/ai-news-34-days.jsonl');
  const hotlists = join(dataFolder, 'replay/hotlists-zh-7-days.jsonl');
  return [
    labelSet('ai-news-34-days', aiNews, ({ discoveredAt }) => (discoveredAt ?? '') >= aiNewsFrom),
    labelSet('hotlists-zh-7-days', hotlists, ({ day }) => hotlistDays.has(day ?? '')),
  ];
}

function labelSet(name: string, path: string, wanted: (row: ReplayRow) => boolean): PairLabelSet {
  const rows = readLines(readFileSync(path, 'utf8')).map((line) => JSON.parse(line) as ReplayRow);
  const items = rows.filter(wanted).map(replayItem);
  items.sort((one, other) => (one.at ?? 0) - (other.at ?? 0) || (one.id < other.id ? -1 : 1));
  const byId = new Map(items.map((item) => [item.id, item]));
  const labels = readFileSync(new URL(`labels/${name}.tsv`, import.meta.url), 'utf8');
  return { name, items, pairs: readLines(labels).map((line) => labelledPair(line, byId)) };
}

function labelledPair(line: string, byId: ReadonlyMap<string, LabelledItem>): LabelledPair {
  const [one = '', other = '', label = ''] = line.split('\t');
  const [earlier, later] = [byId.get(one), byId.get(other)];
  if (earlier === undefined || later === undefined) throw new Error(`labels name an unknown report: ${line}`);
  if (!isPairLabel(label)) throw new Error(`unknown label: ${line}`);
  return { earlier, later, label };
}

function isPairLabel(label: string): label is PairLabel {
  return (pairLabels as readonly string[]).includes(label);
}

function replayItem(row: ReplayRow): LabelledItem {
  const id = row.day === undefined ? String(row.id) : `${row.day}/${row.id}`;
  return {
    id,
    title: row.title,
    originalTitle: null,
    summary: '',
    url: row.url,
    source: row.source ?? row.platform ?? null,
    language: /\p{Script=Han}/u.test(row.title) ? 'zh' : 'en',
    at: Date.parse(row.publishedAt ?? row.discoveredAt ?? row.firstSeen ?? ''),
    story: id,
    storyline: null,
    scored: true,
  };
}

function readLines(text: string): readonly string[] {
  return text.split('\n').filter((line) => line !== '');
}

/** Stories by the labels: items joined by “same fact” and “same story”; every other item is one story. */
export function withStories(set: PairLabelSet): readonly LabelledItem[] {
  const parents = new Map<string, string>();
  const rootOf = (id: string): string => {
    const parent = parents.get(id);
    return parent === undefined || parent === id ? id : rootOf(parent);
  };
  const join = (one: string, other: string): void => {
    parents.set(rootOf(one), rootOf(other));
  };
  for (const { earlier, later, label } of set.pairs) {
    if (label === 'same-fact' || label === 'same-story') join(earlier.id, later.id);
  }
  const byTitle = new Map<string, string>();
  for (const { id, title } of set.items) {
    const first = byTitle.get(title);
    if (first === undefined) byTitle.set(title, id);
    else join(id, first);
  }
  return set.items.map((item) => ({ ...item, story: rootOf(item.id) }));
}
