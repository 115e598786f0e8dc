import { readdirSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

import { seededRandom } from '@daybook/evidence';
import { splitSentences } from '@daybook/grounding/text';

import { extractArticle } from '../apps/server/src/ingest/extract/index.ts';
import { isMeasuredSite } from '../prove/src/injection/measured-sites.ts';

/** A sentence or title, and whether it is an instruction to machines. */
export interface InstructionExample {
  readonly text: string;
  readonly isInstruction: boolean;
  readonly weight: number;
  /** Examples of one group are never on both sides of a split. */
  readonly group: string;
  readonly set: 'pattern' | 'planted' | 'page' | 'note' | 'title';
}

interface PlantedText {
  readonly id: string;
  readonly kind: 'instruction' | 'news';
  readonly place: 'text' | 'hidden' | 'title';
  readonly text: string;
  readonly order?: string;
}

const linesOf = <Row>(file: string): Row[] =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Row);

/** "Apply it." and "Always." are instructions by the sentences around them only. */
function hasContent(sentence: string): boolean {
  return /\p{Script=Han}{6}|(?:\p{L}[^\p{L}]*){18}/u.test(sentence);
}

export const authors = ['first author', 'second author', 'third author'] as const;

function authorOf(id: string): (typeof authors)[number] {
  if (id.startsWith('u')) return 'third author';
  return id.startsWith('s') ? 'second author' : 'first author';
}

/** Sentences that were written one by one. The corpus of each author is a group. */
export function plantedExamples(file: string): InstructionExample[] {
  return linesOf<PlantedText>(file).flatMap(({ id, kind, place, text, order = '' }): InstructionExample[] => {
    const row = { set: 'planted', group: authorOf(id) } as const;
    if (kind === 'news') return [{ ...row, text, isInstruction: false, weight: 6 }];
    if (place === 'title') return [{ ...row, text: order, isInstruction: true, weight: 1 }];
    const sentences = splitSentences(order).filter(hasContent);
    // Not every sentence of a longer instruction is one by itself.
    const weight = sentences.length === 1 ? 1 : 0.3;
    return sentences.map((sentence) => ({ ...row, text: sentence, isInstruction: true, weight }));
  });
}

const fillingsPerPattern = 8;
const nestingMax = 6;

/** Sentences made from the patterns of a file, the same at every call. */
export function patternExamples(file: string): InstructionExample[] {
  const random = seededRandom(7);
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  const slots = new Map(
    lines
      .filter((line) => line.startsWith('@'))
      .map((line) => [line.slice(1, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1).split('|')]),
  );
  const fill = (pattern: string): string => {
    let text = pattern;
    for (let depth = 0; depth < nestingMax; depth += 1)
      text = text.replaceAll(/\{(\w+)\}/gu, (whole, name: string) => {
        const words = slots.get(name);
        return words?.[Math.floor(random() * words.length)] ?? whole;
      });
    return text.slice(0, 1).toUpperCase() + text.slice(1);
  };
  const texts = new Map<string, boolean>();
  for (const line of lines.filter((one) => /^[+-] /u.test(one)))
    for (let at = 0; at < (line.includes('{') ? fillingsPerPattern : 1); at += 1)
      texts.set(fill(line.slice(2)), line.startsWith('+'));
  return [...texts].map(([text, isInstruction]) => ({
    text,
    isInstruction,
    weight: isInstruction ? 0.5 : 1,
    group: 'pattern',
    set: 'pattern',
  }));
}

export const instructionDataSets = [
  'html/article-bodies',
  'html/readability',
  'html/zh-pages',
  'notes/vaults',
  'replay',
  'stories',
];

/** Sentences of real pages and notes, and real titles, with their site. */
export function realExamples(data: string): InstructionExample[] {
  const texts = new Map<string, InstructionExample>();
  const add = (text: string, group: string, set: InstructionExample['set']): void => {
    const trimmed = text.trim();
    if (trimmed.length < 4 || texts.has(trimmed)) return;
    texts.set(trimmed, {
      text: trimmed,
      isInstruction: false,
      weight: set === 'note' ? 0.5 : 1,
      group,
      set,
    });
  };
  for (const { site, text, set } of [...pages(data), ...notes(data)])
    for (const line of text.split('\n')) for (const one of splitSentences(line)) add(one, site, set);
  for (const { site, text } of titles(data)) add(text, site, 'title');
  return [...texts.values()];
}

interface SiteText {
  readonly site: string;
  readonly text: string;
  readonly set: InstructionExample['set'];
}

function pages(data: string): SiteText[] {
  const bodies = JSON.parse(readFileSync(`${data}/html/article-bodies/ground-truth.json`, 'utf8')) as Record<
    string,
    { readonly articleBody?: string; readonly url?: string }
  >;
  const articles = Object.entries(bodies)
    .map(([key, { articleBody = '', url = '' }]) => ({
      site: URL.parse(url)?.hostname ?? key,
      text: articleBody,
      set: 'page' as const,
    }))
    .filter(({ site }) => !isMeasuredSite(site));
  const html = ['readability/test', 'zh-pages']
    .flatMap((folder) => filesBelow(`${data}/html/${folder}`))
    .filter((file) => /\/source\.html(?:\.gz)?$|zh-pages\/.*\.gz$/u.test(file))
    .map((file) => {
      const bytes = readFileSync(file);
      const page = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
      const site = (/([^/]+)\/source/u.exec(file) ?? /([^/-]+)-[^/]*$/u.exec(file))?.[1] ?? file;
      const read = extractArticle(page, `https://${site}.example/page`, null);
      return { site, text: read.ok ? read.value.text : '', set: 'page' as const };
    });
  return [...articles, ...html];
}

/** Every third note: they are many. Collections of prompts are left out. */
function notes(data: string): SiteText[] {
  return ['awesome-munich', 'blue-book', 'kepano-obsidian', 'nikita-knowledge']
    .flatMap((vault) => filesBelow(`${data}/notes/vaults/${vault}`))
    .filter((file, at) => file.endsWith('.md') && at % 3 === 0)
    .map((file) => ({
      site: file.split('/').at(-2) ?? file,
      text: readFileSync(file, 'utf8')
        .replaceAll(/\[([^\]]*)\]\([^)]*\)/gu, '$1')
        .replaceAll(/^[-#>*\s]+/gmu, ''),
      set: 'note',
    }));
}

function titles(data: string): SiteText[] {
  const files = [
    'replay/ai-news-34-days',
    'replay/hotlists-zh-7-days',
    'replay/selection-candidates',
    'stories/roundups-en',
    'stories/lookalikes-en',
  ];
  return files.flatMap((file) =>
    linesOf<{ readonly title: string; readonly url?: string; readonly source?: string }>(
      `${data}/${file}.jsonl`,
    ).map(({ title, url = '', source }) => ({
      site: URL.parse(url)?.hostname ?? source ?? file,
      text: title,
      set: 'title',
    })),
  );
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name}`)
    .sort();
}
