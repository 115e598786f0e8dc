import { canonicalJson } from '../../foundation/canonical-json.ts';
import { sha256Bytes } from '../../foundation/hash.ts';
import { isoMilliseconds } from '../../foundation/instant.ts';
import type { ItemFacts } from './item-body.ts';

/** Incremented whenever the list below changes; existing mirrors would have to support the change first. */
export const setVersion = 1;

/** The frozen list of fields that a mirror's equality check covers. */
export function itemDigest(item: ItemFacts): Buffer {
  return sha256Bytes(
    canonicalJson({
      id: item.id,
      title: item.title,
      originalTitle: item.originalTitle,
      summary: item.summary,
      source: { name: item.sourceName },
      links: { original: item.originalUrl },
      publishedAt: item.publishedAt === null ? null : isoMilliseconds(item.publishedAt),
      discoveredAt: isoMilliseconds(item.discoveredAt),
      category: item.category,
    }),
  );
}
