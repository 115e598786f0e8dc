import { withoutDateline } from './dateline.ts';
import { extractSummary } from './extractive-summary.ts';
import { withoutInstructions } from './instructions-in-text.ts';
import { titleByRule } from './title-by-rule.ts';
import type { EntryText, ItemCopy } from './writer.ts';
import { summaryCharsMax } from './writer.ts';

/** Needs no model, costs nothing, always answers: the source's title and its own sentences, in its own language. */
export function writeByRule(entry: EntryText): ItemCopy {
  const title = titleByRule(entry);
  const { language } = entry;
  const text = withoutDateline(withoutInstructions(entry.text).trimStart());
  const summary = extractSummary({ title, text, language, charsMax: summaryCharsMax(language) });
  return { title, originalTitle: null, summary, language };
}
