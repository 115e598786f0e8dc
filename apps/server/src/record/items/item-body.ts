import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { isoMilliseconds } from '../../foundation/instant.ts';

/** What the news API says of an item; its schema there lists the same fields. */
export interface ItemFacts {
  readonly id: string;
  readonly title: string;
  readonly originalTitle: string | null;
  readonly summary: string;
  readonly sourceName: string;
  readonly originalUrl: string;
  readonly publishedAt: EpochMicroseconds | null;
  readonly discoveredAt: EpochMicroseconds;
  readonly category: string;
  readonly score: number | null;
  readonly selected: boolean;
  readonly reason: string | null;
}

/** Stands for the base address in stored bodies. JSON never holds it raw, so no third-party text can contain it. */
const baseMark = '\u0001';

/** The item as it is sent, composed once when it changes and not at every reading. */
export function composeItemBody(item: ItemFacts): string {
  const body = JSON.stringify({
    id: item.id,
    title: item.title,
    originalTitle: item.originalTitle,
    summary: item.summary,
    source: { name: item.sourceName },
    links: { item: `/items/${item.id}`, original: item.originalUrl },
    publishedAt: item.publishedAt === null ? null : isoMilliseconds(item.publishedAt),
    discoveredAt: isoMilliseconds(item.discoveredAt),
    category: item.category,
    score: item.score,
    selected: item.selected,
    reason: item.reason,
  });
  return body.replace(`"links":{"item":"`, `"links":{"item":"${baseMark}`);
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
