import type { Database } from '../../foundation/database/database.ts';
import { sha256 } from '../../foundation/hash.ts';
import type { Id } from '../../foundation/ids.ts';
import type { recorded } from '../../record/index.ts';
import type { Digest, StoryItem } from '../copy/digest/index.ts';
import { withQuotes } from '../copy/digest/index.ts';
import type { ItemToDigest } from './story-digest-store.ts';
import { readTextSalts } from './story-digest-store.ts';

export type QuotedDigest = Pick<recorded.StoryDigest, 'sentences' | 'contradictions'>;

/**
 * A digest with the quotes that support its sentences, and a salted hash of each text as the newsroom read it: title, a line
 * break and the text. The salts are read in the transaction that publishes, so that no engine step stores them.
 */
export async function quotedDigest(
  transaction: Database,
  digest: Digest | null,
  {
    items,
    texts,
  }: {
    readonly items: readonly StoryItem[];
    readonly texts: readonly Pick<ItemToDigest, 'id' | 'title' | 'text'>[];
  },
): Promise<QuotedDigest | null> {
  if (digest === null) return null;
  const { sentences, contradictions } = withQuotes(digest, items);
  const salts = await readTextSalts(
    transaction,
    texts.map(({ id }) => id),
  );
  const textById = new Map<string, string>(texts.map(({ id, title, text }) => [id, `${title}\n${text}`]));
  const quoted = sentences.map(({ text, cites, quotes = [] }) => ({
    text,
    cites: cites as readonly Id<'item'>[],
    quotes: quotes.map((quote) => {
      const salted = salts.get(quote.itemId);
      const textHash =
        salted && sha256(Buffer.concat([salted.salt, Buffer.from(textById.get(quote.itemId) ?? '')]));
      return {
        ...quote,
        itemId: quote.itemId as Id<'item'>,
        textHash: textHash ?? null,
        saltRevision: salted?.revision ?? null,
      };
    }),
  }));
  return { sentences: quoted, contradictions: contradictions as QuotedDigest['contradictions'] };
}
