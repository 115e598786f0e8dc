import type { Item } from '../generated/news-api.ts';
import { hashAtOnce } from '../hash-at-once.ts';

const modulus = 2n ** 256n;

/** SHA-256 of each text, in hex; at once where that is possible, because a promise each costs as much as the hash. */
export async function hashTexts(texts: readonly string[]): Promise<readonly string[]> {
  const hash = hashAtOnce;
  if (hash !== undefined) return texts.map((text) => hash('sha256', text, 'hex'));
  return Promise.all(
    texts.map(async (text) => {
      const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
      return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
    }),
  );
}

/** RFC 8785 of strings and nulls: members in the order of their names, written as JSON.stringify writes them. */
export function canonicalForm(item: Item): string {
  return JSON.stringify({
    category: item.category,
    discoveredAt: item.discoveredAt,
    id: item.id,
    links: { original: item.links.original },
    originalTitle: item.originalTitle,
    publishedAt: item.publishedAt,
    source: { name: item.source.name },
    summary: item.summary,
    title: item.title,
  });
}

/** Updates the hash of a set by its added and removed items: the cost is that of the change. */
export function changedHash(hash: string, added: Iterable<string>, removed: Iterable<string> = []): string {
  let sum = numberOf(hash);
  for (const digest of added) sum += numberOf(digest);
  for (const digest of removed) sum -= numberOf(digest);
  const rest = sum % modulus;
  return (rest < 0n ? rest + modulus : rest).toString(16).padStart(64, '0');
}

/** Of a damaged digest 0, so that the sum differs. */
function numberOf(digest: string): bigint {
  return /^[0-9a-f]+$/.test(digest) ? BigInt(`0x${digest}`) : 0n;
}

export const emptyHash = '0'.repeat(64);
