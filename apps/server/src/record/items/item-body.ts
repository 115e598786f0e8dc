import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { isoMilliseconds } from '../../foundation/instant.ts';
import { itemPath, storyPath } from '../public-paths.ts';

/** What the news API says of an item; its schema there lists the same fields. */
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
  /** When its words or facts last changed; null while it stands as published. */
  readonly revisedAt: EpochMicroseconds | null;
  readonly category: string;
  readonly score: number | null;
  readonly selected: boolean;
  readonly reason: string | null;
}

/** Raised with every change of the form below; `daybook record recompose` renews bodies of an older one. */
export const bodyVersion = 2;

/** Stands for the base address in stored bodies. JSON never holds it raw, so no third-party text can contain it. */
const baseMark = '\u0001';

/** The item as it is sent, composed once when it changes and not at every reading. */
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
  });
  return body.replace(`"links":{"item":"`, `"links":{"item":"${baseMark}`);
}

/** A body as it is sent. */
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
}

/**
 * A stored body with the base address this server is reached at and the story it belongs to, which may change without
 * the item and is therefore no part of it.
 */
export function itemJson(
  { body, storyId }: { readonly body: string; readonly storyId: string | null },
  baseUrl: string,
): string {
  const mark = body.indexOf(baseMark);
  const linkEnd = body.indexOf('"', mark);
  const story = storyId === null ? '' : `","story":"${baseUrl}${storyPath(storyId)}`;
  return `${body.slice(0, mark)}${baseUrl}${body.slice(mark + 1, linkEnd)}${story}${body.slice(linkEnd)}`;
}

/** Bodies as they stood in the record, with the base address this server is reached at; or bytes, which are joined. */
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
