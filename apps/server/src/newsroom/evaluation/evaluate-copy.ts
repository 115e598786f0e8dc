import { labelledRows } from '../../foundation/evaluation/labelled-lines.ts';
import type { Rate } from '../../foundation/evaluation/rate.ts';
import { rateOf } from '../../foundation/evaluation/rate.ts';
import { extractArticle, headlineOf } from '../../ingest/extract/index.ts';
import { writeByRule } from '../copy/index.ts';

/** A page with the headline that an editor would print, and the facts and strings that its summary should and must not contain. */
interface LabelledPage {
  readonly id: string;
  /** Relative to the labelled file. */
  readonly page: string;
  readonly url: string | null;
  readonly language: string;
  readonly rawTitle: string;
  readonly title: string;
  readonly titleAlso?: readonly string[];
  /** The most important first. */
  readonly facts: readonly string[];
  readonly notFromHere: readonly string[];
}

export interface CopyOfPage {
  readonly id: string;
  readonly title: string;
  readonly expectedTitle: string;
  readonly summary: string;
  readonly hasExactTitle: boolean;
  /** The title is the expected one with more before or after it. */
  readonly hasTitleWithMore: boolean;
  readonly forbidden: readonly string[];
  readonly beginsWithDateline: boolean;
  readonly statesMainFact: boolean;
  readonly factShare: number;
}

export interface CopyEvaluation {
  readonly rates: readonly Rate[];
  readonly meanFactShare: number;
  readonly medianFactShare: number;
  readonly pages: readonly CopyOfPage[];
}

/** Writes title and summary of every page by rule and compares them with the labels. */
export function evaluateCopy(text: string, readPage: (page: string) => string): CopyEvaluation {
  const fields = {
    id: 'text',
    page: 'text',
    language: 'text',
    rawTitle: 'text',
    title: 'text',
    facts: 'texts',
    notFromHere: 'texts',
  } as const;
  const pages = labelledRows<LabelledPage>(text, fields).map((row) => copyOf(row, readPage(row.page)));
  const shares = pages.map(({ factShare }) => factShare).sort((one, other) => one - other);
  const rate = (name: string, holds: (page: CopyOfPage) => boolean, of = pages): Rate =>
    rateOf(name, of.filter(holds).length, of.length);
  const written = pages.filter(({ summary }) => summary !== '');
  const hasFault = (page: CopyOfPage): boolean => page.forbidden.length > 0 || page.beginsWithDateline;
  return {
    rates: [
      rate('titles as an editor would print them', (page) => page.hasExactTitle),
      rate('titles with site, section or other words added', (page) => page.hasTitleWithMore),
      rate('summaries that contain a forbidden string', (page) => page.forbidden.length > 0, written),
      rate('summaries that begin with a dateline', (page) => page.beginsWithDateline, written),
      rate('summaries with the most important fact', (page) => page.statesMainFact),
      rate('summaries with it and without a fault', (page) => page.statesMainFact && !hasFault(page)),
      rate('empty summaries', ({ summary }) => summary === ''),
    ],
    meanFactShare: shares.reduce((sum, share) => sum + share, 0) / Math.max(1, shares.length),
    medianFactShare: shares[Math.floor(shares.length / 2)] ?? 0,
    pages,
  };
}

function copyOf(row: LabelledPage, html: string): CopyOfPage {
  const extracted = extractArticle(html, row.url ?? 'https://page.example/', row.language);
  const article = extracted.ok ? extracted.value : null;
  const copy = writeByRule({
    title: article === null ? row.rawTitle : headlineOf(row.rawTitle, article.names),
    text: article?.text ?? '',
    language: row.language,
    sourceName: siteName(html),
    ...(row.url !== null && { url: row.url }),
  });
  const [title, summary] = [spaced(copy.title), spaced(copy.summary)];
  const headlines = [row.title, ...(row.titleAlso ?? [])].map(spaced);
  const stated = row.facts.filter((fact) => summary.includes(spaced(fact)));
  return {
    id: row.id,
    title,
    expectedTitle: row.title,
    summary,
    hasExactTitle: headlines.includes(title),
    hasTitleWithMore: !headlines.includes(title) && headlines.some((one) => title.includes(one)),
    forbidden: row.notFromHere.filter((part) => summary.includes(spaced(part))),
    beginsWithDateline: dateline.test(summary),
    statesMainFact: stated.includes(row.facts[0] ?? ''),
    factShare: row.facts.length === 0 ? 0 : stated.length / row.facts.length,
  };
}

/** The name that the source of the page would have. */
function siteName(html: string): string {
  const [meta = ''] = /<meta[^>]+property=["']og:site_name["'][^>]*>/iu.exec(html) ?? [];
  return /content=["']([^"']+)["']/iu.exec(meta)?.[1] ?? '';
}

/** Written apart from the rule that removes datelines: it must not agree with that rule's omissions. */
const dateline =
  /^(?:\p{Lu}[\p{Lu}.,'’ ]{2,40}(?:\([^)]{2,30}\))?\s*[—–-]|.{0,40}\((?:Reuters|AP|AFP|Bloomberg|CNN[^)]*)\)|\([^)]{2,30}\)\s*[—–-]|.{0,20}\d+\s?月\s?\d+\s?日.{0,8}(?:电|電|讯|訊|消息|报道|報道)|[^，。]{0,12}(?:本报讯|本報訊|（记者))/u;

function spaced(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').trim();
}
