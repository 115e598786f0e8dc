import { createHash } from 'node:crypto';

import type { AliasTable } from './aliases.ts';
import type { StoryEntry } from './entry-terms.ts';
import { entryTerms } from './entry-terms.ts';
import type { ReadingSignature, ReadItem } from './reading-groups.ts';
import { readingKeys, readingSignature } from './reading-groups.ts';
import { readText } from './text-sketch.ts';

/** All keys for finding and comparing an item. `text` is its publisher's text. Pure. */
export function readEntry(entry: StoryEntry, aliases: AliasTable, text = ''): ReadItem {
  const signature = readingSignature(entry);
  return {
    terms: entryTerms(entry, aliases),
    signature,
    readingTerms: readingTerms(signature),
    text: readText(text),
  };
}

/** The keys of near-identical items are in the same index as the terms, with a prefix of their own. */
function readingTerms(signature: ReadingSignature): readonly string[] {
  return readingKeys(signature).map(
    (key) => `r:${createHash('sha256').update(key).digest('base64url').slice(0, 12)}`,
  );
}
