import type { Language, Dispatch } from '@daybook/newswire';

import type { Id } from '../../server/src/foundation/ids.ts';
import type { EpochMicroseconds } from '../../server/src/foundation/instant.ts';
import { instantToMs, parseIsoInstant } from '../../server/src/foundation/instant.ts';
import type { bulkImport } from '../../server/src/record/wiring.ts';
import { simulatedId } from './simulated-id.ts';

/** A dispatch of the world with its item in the record. */
export interface DispatchedItem {
  readonly dispatch: Dispatch;
  readonly itemId: Id<'item'>;
  readonly at: EpochMicroseconds;
  /** Of the shown title. */
  readonly language: Language;
}

export function dispatchedItem(dispatch: Dispatch): DispatchedItem {
  const at = instantOf(dispatch.discoveredAt);
  const other: Language = dispatch.language === 'en' ? 'zh' : 'en';
  return {
    dispatch,
    at,
    itemId: simulatedId('item', dispatch.key, instantToMs(at)),
    language: dispatch.originalTitle === null ? dispatch.language : other,
  };
}

/** The item as the newsroom publishes it. */
export function itemOf({ dispatch, itemId, at, language }: DispatchedItem): bulkImport.ItemToImport {
  return {
    id: itemId,
    source: {
      id: simulatedId('source', dispatch.outlet.key, 0),
      name: dispatch.outlet.name,
      owner: dispatch.outlet.owner,
      firstParty: dispatch.outlet.firstPartyOf !== null,
    },
    groupId: simulatedId('reading-group', dispatch.groupKey, 0),
    title: dispatch.title,
    originalTitle: dispatch.originalTitle,
    language,
    summary: dispatch.summary,
    category: dispatch.category,
    originalUrl: dispatch.url,
    publishedAt: dispatch.publishedAt === null ? null : instantOf(dispatch.publishedAt),
    discoveredAt: at,
    score: dispatch.score,
  };
}

export function instantOf(text: string): EpochMicroseconds {
  const parsed = parseIsoInstant(text);
  if (!parsed.ok) throw new Error(`not an instant: ${text}`);
  return parsed.value;
}
