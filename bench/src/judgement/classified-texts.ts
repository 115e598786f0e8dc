import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

import { createWorld } from '@daybook/newswire';

import { extractArticle } from '../../../apps/server/src/ingest/extract/index.ts';
import type { Kind } from '../../../apps/server/src/newsroom/copy/judgement/index.ts';
import type { TextToClassify } from '../../../apps/server/src/newsroom/copy/judgement/text-forms.ts';
import { readRows } from '../checker/cited-text.ts';

/** A text with what it is about. Without a label by hand, its source decides (a weak label). */
export interface ClassifiedText extends TextToClassify {
  readonly set: 'labels' | 'articles' | 'ai sources' | 'hot lists' | 'general news' | 'simulated';
  /** The texts of one site are either trained on or scored. */
  readonly site: string;
  readonly isRelevant: boolean;
  /** Null: not known. */
  readonly kind: Kind | null;
  readonly weight: number;
}

export const classifiedDataSets = [
  'replay/ai-news-34-days.jsonl',
  'replay/selection-candidates.jsonl',
  'replay/hotlists-zh-7-days.jsonl',
  'stories/roundups-en.jsonl',
  'stories/aggregator-en.jsonl',
  'stories/lookalikes-en.jsonl',
  'stories/ai-news-en-zh.jsonl',
  'copy/articles-dev.jsonl',
];

/** Labels by hand: `kind`, followed by ` ai` if the text is about the AI industry. */
type Label = Kind | `${Kind} ai`;

const weights = {
  labels: 1.5,
  articles: 1.5,
  'ai sources': 0.3,
  'hot lists': 0.1,
  'general news': 0.1,
  simulated: 0.05,
};

/** All texts of the material, each title once. */
export function readClassifiedTexts(data: string): ClassifiedText[] {
  const labels = new Map(
    Object.entries(
      JSON.parse(readFileSync(new URL('kind-labels.json', import.meta.url), 'utf8')) as Record<string, Label>,
    ),
  );
  const all = [
    ...replayTexts(data, labels),
    ...candidateTexts(data, labels),
    ...hotListTexts(data, labels),
    ...articleTexts(data),
    ...generalTexts(data),
    ...simulatedTexts(),
  ];
  const byTitle = new Map<string, ClassifiedText>();
  // Labels come first in every file's list; a repeated title keeps its best label.
  for (const one of all) {
    const key = `${one.title.trim().toLowerCase()} ${one.text === '' ? '' : 'with text'}`;
    const known = byTitle.get(key);
    if (known === undefined || known.weight < one.weight) byTitle.set(key, one);
  }
  return [...byTitle.values()];
}

/** What a hot list or a general newspaper may say about AI is not counted as a weak negative. */
const maybeAi =
  /\bA\.?I\b|人工智能|大模型|芯片|机器人|智能|英伟达|OpenAI|DeepSeek|GPT|Claude|Gemini|算力|豆包|自动驾驶|半导体|数据中心|摩尔线程|沐曦|智谱|MiniMax|宇树|Kimi|千问|\b(?:artificial intelligence|machine learning|robots?|chatbots?|nvidia|chips?|semiconductors?|data cent(?:er|re)s?|algorithms?|self-driving|facial recognition|deepfakes?)\b/iu;

function byHand(
  label: Label | undefined,
  text: Omit<TextToClassify, 'text'> & { readonly site: string },
): ClassifiedText[] {
  if (label === undefined) return [];
  const [kind, about] = label.split(' ') as [Kind, string | undefined];
  return [
    { ...text, text: '', set: 'labels', isRelevant: about !== undefined, kind, weight: weights.labels },
  ];
}

function byTitleAlone(
  set: ClassifiedText['set'],
  text: { readonly title: string; readonly url?: string; readonly site: string },
  kind: Kind | null = null,
): ClassifiedText[] {
  return [{ text: '', url: '', ...text, set, isRelevant: set === 'ai sources', kind, weight: weights[set] }];
}

const aiOnly =
  /^(?:juya|techcrunch_ai|aws_ml_blog|openai_blog|marktechpost|nvidia_developer|deepmind_research|siliconangle_ai|arxiv\.org|huggingface\.co|anthropic\.com|deepmind\.google|openai\.com|thegradient\.pub|hackernews)$/u;

function replayTexts(data: string, labels: ReadonlyMap<string, Label>): ClassifiedText[] {
  const rows = readRows<{ id: string; source: string; title: string; url: string }>(
    `${data}/replay/ai-news-34-days.jsonl`,
  );
  return rows.flatMap(({ id, source, title, url }) => {
    const text = { title, url, site: siteOf(url) };
    if (labels.has(id)) return byHand(labels.get(id), text);
    if (!aiOnly.test(source)) return [];
    return byTitleAlone('ai sources', text, source === 'arxiv.org' ? 'paper' : null);
  });
}

const aiOnlyCandidates = new Set(['papers-with-code', 'alphaxiv', 'quantumbit', 'websearch', 'huggingface']);

function candidateTexts(data: string, labels: ReadonlyMap<string, Label>): ClassifiedText[] {
  const rows = readRows<{ day: string; id: string; source: string; title: string; url: string }>(
    `${data}/replay/selection-candidates.jsonl`,
  );
  return rows.flatMap(({ day, id, source, title, url }) => {
    // A number alone says nothing.
    if (/^Paper \d/u.test(title)) return [];
    const label = labels.get(labelKey('selection-candidates', `${day}/${id}`));
    const text = { title, url, site: siteOf(url) };
    if (label !== undefined) return byHand(label, text);
    return aiOnlyCandidates.has(source) ? byTitleAlone('ai sources', text) : [];
  });
}

function hotListTexts(data: string, labels: ReadonlyMap<string, Label>): ClassifiedText[] {
  const rows = readRows<{ day: string; id: number; platform: string; title: string; url: string }>(
    `${data}/replay/hotlists-zh-7-days.jsonl`,
  );
  return rows.flatMap(({ day, id, platform: site, title }) => {
    const label = labels.get(labelKey('hotlists-zh', `${day}/${id}`));
    if (label !== undefined) return byHand(label, { title, url: '', site });
    return maybeAi.test(title) ? [] : byTitleAlone('hot lists', { title, site });
  });
}

/** The only real texts with labels; the beginning of the page's article is read too. */
function articleTexts(data: string): ClassifiedText[] {
  const rows = readRows<{
    page: string;
    url: string | null;
    language: string;
    title: string;
    kind: Kind;
    aiIndustry: boolean;
  }>(`${data}/copy/articles-dev.jsonl`);
  return rows.map((row) => {
    const bytes = readFileSync(join(data, 'copy', row.page));
    const html = (row.page.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
    const article = extractArticle(html, row.url ?? 'https://page.example/', row.language);
    return {
      title: row.title,
      text: article.ok ? article.value.text : '',
      url: row.url ?? '',
      set: 'articles',
      site: row.url === null ? row.page : siteOf(row.url),
      isRelevant: row.aiIndustry,
      kind: row.kind,
      weight: weights.articles,
    };
  });
}

function generalTexts(data: string): ClassifiedText[] {
  const files = ['roundups-en', 'aggregator-en', 'lookalikes-en'].flatMap((file) =>
    readRows<{ title: string; source?: string }>(`${data}/stories/${file}.jsonl`).map((row) => ({
      title: row.title,
      site: row.source ?? file,
    })),
  );
  return files.flatMap((row) => (maybeAi.test(row.title) ? [] : byTitleAlone('general news', row)));
}

/** The simulated industry has invented names: only the words around them say what a report is about. */
function simulatedTexts(): ClassifiedText[] {
  const kinds = { tip: 'tutorial', opinion: 'opinion', paper: 'paper' } as const;
  const world = createWorld({ seed: 41, startsAt: Date.UTC(2026, 9, 1), days: 8, itemsPerDay: 150 });
  return [...world.dispatches()].flatMap((dispatch, at) => {
    const { title, url, category, role } = dispatch;
    const kind = role === 'roundup' ? 'roundup' : (kinds[category as keyof typeof kinds] ?? 'news');
    const known = {
      set: 'simulated',
      site: 'simulated',
      isRelevant: true,
      weight: weights.simulated,
    } as const;
    // A companion's title says nothing about its form.
    const text = at % 3 === 0 ? '' : dispatch.body();
    return [{ ...known, title, text, url, kind: role === 'companion' ? null : kind }];
  });
}

export function siteOf(url: string): string {
  return URL.parse(url)?.hostname.replace(/^www\./u, '') ?? '';
}

/** Ids of these files contain titles, so labels refer to their hash. */
export function labelKey(file: string, id: string): string {
  return createHash('sha256').update(`${file}:${id}`).digest('hex').slice(0, 16);
}
