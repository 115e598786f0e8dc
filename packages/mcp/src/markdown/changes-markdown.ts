import type { Remove, Upsert } from '@daybook/client/types';

import { itemLines } from './item-markdown.ts';
import { markdownDocument, plainText, untrusted, untrustedNote } from './markdown-text.ts';

export interface ChangesPage {
  readonly cursor: string;
  readonly hasMore: boolean;
  readonly changes: readonly (Upsert | Remove)[];
}

/** The added, changed and removed items of the selected set, and the cursor for the next request. */
export function writeChanges({ cursor, hasMore, changes }: ChangesPage): string {
  const upserts = changes.filter((change) => change.op === 'upsert');
  const removes = changes.filter((change) => change.op === 'remove');
  return markdownDocument('Changes of the selected items', [
    `Next cursor: \`${cursor.replaceAll(/[^\w.~:=+/-]/g, '')}\`${hasMore ? '; more changes follow, call again now.' : '.'}`,
    untrustedNote,
    changes.length === 0
      ? 'Nothing changed.'
      : untrusted([
          ...(upserts.length === 0 ? [] : ['Published or revised:', '']),
          ...upserts.flatMap(({ item }) => itemLines(item)),
          ...(removes.length === 0 ? [] : ['', 'No longer in the set (do not report them):', '']),
          ...removes.map(({ id }) => `- ${plainText(id)}`),
        ]),
  ]);
}
