import { withoutDateline } from './dateline.ts';
import { extractSummary } from './extractive-summary.ts';
import { withoutInstructions } from './instructions-in-text.ts';
import { releaseSummary } from './release-notes.ts';
import { titleByRule } from './title-by-rule.ts';
import type { EntryText, ItemCopy } from './writer.ts';
import { summaryCharsMax } from './writer.ts';

/** Requires no model, costs nothing, always succeeds: the source's title and own sentences, in its language. */
export function writeByRule(entry: EntryText): ItemCopy {
  const title = titleByRule(entry);
  const { language } = entry;
  const text = withoutDateline(withoutInstructions(entry.text).trimStart());
  const summary =
    releaseSummary({ ...entry, text }) ??
    extractSummary({ title, text, language, charsMax: summaryCharsMax(language) });
  return { title, originalTitle: null, summary, language };
}
