import { createHash } from 'node:crypto';

import type { AliasTable } from './aliases.ts';
import type { StoryEntry } from './entry-terms.ts';
import { entryTerms } from './entry-terms.ts';
import type { ReadingSignature, ReadReport } from './reading-groups.ts';
import { readingKeys, readingSignature } from './reading-groups.ts';

/** Everything that a report is found and compared by. Pure. */
export function readEntry(entry: StoryEntry, aliases: AliasTable): ReadReport {
  const signature = readingSignature(entry);
  return { terms: entryTerms(entry, aliases), signature, readingTerms: readingTerms(signature) };
}

/** The keys of near-identical reports are in the same index as the terms, under a letter of their own. */
function readingTerms(signature: ReadingSignature): readonly string[] {
  return readingKeys(signature).map(
    (key) => `r:${createHash('sha256').update(key).digest('base64url').slice(0, 12)}`,
  );
}
