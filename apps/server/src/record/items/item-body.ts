import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { isoMilliseconds } from '../../foundation/instant.ts';
import type { ReaderLanguage } from '../../foundation/reader-language.ts';
import { itemPath, storyPath } from '../public-paths.ts';
import type { WordedReason } from './selection-reason.ts';
import { wordReason } from './selection-reason.ts';

/** The fields of an item in the news API; its schema there lists the same fields. */
export interface ItemFacts {
  readonly id: string;
  readonly title: string;
  readonly originalTitle: string | null;
  /** BCP 47; null where unknown. */
  readonly language: string | null;
  readonly summary: string;
  readonly sourceName: string;
  readonly originalUrl: string;
  readonly publishedAt: EpochMicroseconds | null;
  readonly discoveredAt: EpochMicroseconds;
  /** When its text or facts last changed; null if never revised. */
  readonly revisedAt: EpochMicroseconds | null;
  readonly category: string;
  readonly score: number | null;
  readonly selected: boolean;
  readonly reason: string | null;
  /** Whether an instruction to machines was removed from the source's text. */
  readonly textRemoved?: boolean;
}

/** Incremented with every change of the format below; `daybook record recompose` upgrades older bodies. */
export const bodyVersion = 2;

/** Represents the base address in stored bodies. JSON escapes it, so no third-party text can contain it raw. */
const baseMark = '\u0001';

/** Composes the response body of an item once per change, not once per read. */
export function composeItemBody(item: ItemFacts): string {
  const body = JSON.stringify({
    id: item.id,
    title: item.title,
    originalTitle: item.originalTitle,
    language: item.language,
    summary: item.summary,
    source: { name: item.sourceName },
    links: { item: itemPath(item.id), original: item.originalUrl },
    publishedAt: item.publishedAt === null ? null : isoMilliseconds(item.publishedAt),
    discoveredAt: isoMilliseconds(item.discoveredAt),
    revisedAt: item.revisedAt === null ? null : isoMilliseconds(item.revisedAt),
    category: item.category,
    score: item.score,
    selected: item.selected,
    reason: item.reason,
    ...(item.textRemoved === true ? { textRemoved: true } : {}),
  });
  return body.replace(`"links":{"item":"`, `"links":{"item":"${baseMark}`);
}

/** A body as sent to clients. */
export interface ItemBody {
  readonly id: string;
  readonly title: string;
  readonly originalTitle: string | null;
  readonly language: string | null;
  readonly summary: string;
  readonly source: { readonly name: string };
  readonly links: { readonly item: string; readonly original: string; readonly story?: string };
  readonly publishedAt: string | null;
  readonly discoveredAt: string;
  readonly revisedAt: string | null;
  readonly category: string;
  readonly score: number | null;
  readonly selected: boolean;
  readonly reason: string | null;
  readonly reasonCode?: string;
  readonly reasonValues?: WordedReason['reasonValues'];
  readonly textRemoved?: boolean;
}

/**
 * A stored body with the base address of this server and the story of the item, which may change without the item and
 * is therefore not part of the stored body; its reason in this language.
 */
export function itemJson(
  { body: stored, storyId }: { readonly body: string; readonly storyId: string | null },
  { baseUrl, language }: { readonly baseUrl: string; readonly language: ReaderLanguage },
): string {
  const body = withReasonIn(stored, language);
  const mark = body.indexOf(baseMark);
  const linkEnd = body.indexOf('"', mark);
  const story = storyId === null ? '' : `","story":"${baseUrl}${storyPath(storyId)}`;
  return `${body.slice(0, mark)}${baseUrl}${body.slice(mark + 1, linkEnd)}${story}${body.slice(linkEnd)}`;
}

const reasonMark = ',"reason":"';
const jsonString = /"(?:[^"\\]|\\.)*"/y;

/** JSON escapes the quotation marks of texts, so only the field itself can begin with the mark. */
function withReasonIn(body: string, language: ReaderLanguage): string {
  const field = body.lastIndexOf(reasonMark);
  if (field === -1) return body;
  jsonString.lastIndex = field + reasonMark.length - 1;
  const text = jsonString.exec(body)?.[0] ?? '""';
  const worded = JSON.stringify(wordReason(JSON.parse(text) as string, language));
  return `${body.slice(0, field)},${worded.slice(1, -1)}${body.slice(field + reasonMark.length - 1 + text.length)}`;
}

/** Stored bodies with the base address of this server inserted; a string, or byte arrays, which are joined. */
export function withBaseUrl(bodies: string, baseUrl: string): string;
export function withBaseUrl(bodies: readonly Buffer[], baseUrl: string): Buffer;
export function withBaseUrl(bodies: string | readonly Buffer[], baseUrl: string): string | Buffer {
  if (typeof bodies === 'string') return bodies.replaceAll(baseMark, baseUrl);
  const [mark, base] = [baseMark.charCodeAt(0), Buffer.from(baseUrl)];
  const pieces: Buffer[] = [];
  for (const bytes of bodies) {
    let from = 0;
    for (let at = bytes.indexOf(mark); at !== -1; at = bytes.indexOf(mark, from)) {
      pieces.push(bytes.subarray(from, at), base);
      from = at + 1;
    }
    pieces.push(bytes.subarray(from));
  }
  return Buffer.concat(pieces);
}
