import type { Language, Report } from '@daybook/newswire';

import type { Id } from '../../server/src/foundation/ids.ts';
import type { EpochMicroseconds } from '../../server/src/foundation/instant.ts';
import { instantToMs, parseIsoInstant } from '../../server/src/foundation/instant.ts';
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

export function instantOf(text: string): EpochMicroseconds {
  const parsed = parseIsoInstant(text);
  if (!parsed.ok) throw new Error(`not an instant: ${text}`);
  return parsed.value;
}
