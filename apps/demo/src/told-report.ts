import type { Language, Report } from '@daybook/newswire';

import type { Id } from '../../server/src/foundation/ids.ts';
import type { EpochMicroseconds } from '../../server/src/foundation/instant.ts';
import { instantToMs, parseIsoInstant } from '../../server/src/foundation/instant.ts';
import type { ItemToImport } from '../../server/src/record/index.ts';
import { demoId } from './demo-id.ts';

/** A report of the world with its place in the record. */
export interface ToldReport {
  readonly report: Report;
  readonly itemId: Id<'item'>;
  readonly at: EpochMicroseconds;
  /** Of the title as it is shown. */
  readonly language: Language;
}

export function tellReport(report: Report): ToldReport {
  const at = instantOf(report.discoveredAt);
  const other: Language = report.language === 'en' ? 'zh' : 'en';
  return {
    report,
    at,
    itemId: demoId('item', report.key, instantToMs(at)),
    language: report.originalTitle === null ? report.language : other,
  };
}

/** As the newsroom publishes it. */
export function itemOf({ report, itemId, at }: ToldReport): ItemToImport {
  return {
    id: itemId,
    source: {
      id: demoId('source', report.outlet.key, 0),
      name: report.outlet.name,
      owner: report.outlet.owner,
      firstParty: report.outlet.firstPartyOf !== null,
    },
    groupId: demoId('reading-group', report.groupKey, 0),
    title: report.title,
    originalTitle: report.originalTitle,
    summary: report.summary,
    category: report.category,
    originalUrl: report.url,
    publishedAt: report.publishedAt === null ? null : instantOf(report.publishedAt),
    discoveredAt: at,
    score: report.score,
  };
}

export function instantOf(text: string): EpochMicroseconds {
  const parsed = parseIsoInstant(text);
  if (!parsed.ok) throw new Error(`not an instant: ${text}`);
  return parsed.value;
}
