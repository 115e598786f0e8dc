import { normalizeSearchText, searchTermsOf } from '../../foundation/search-text.ts';
import type { AskedQuestion, ReadDocument, SourceDocument } from '../answers/extract/index.ts';
import { findPassages, readDocument, searchFor, shippedAnswerTools } from '../answers/extract/index.ts';

/** The same as in the search of storage, whose figures `prove answers` compares. */
const filesPerQuery = 12;
const filesMax = 12;

/** The documents as files of an organization: what a search for the words of a question finds of them. */
export function storedAsFiles(
  documents: readonly SourceDocument[],
): (asked: AskedQuestion) => readonly ReadDocument[] {
  const files = documents.map((document): SourceDocument => ({
    ...document,
    kind: 'file',
    title: `${document.title}.txt`,
    // A stored report begins with its headline.
    text: document.text.startsWith(document.title) ? document.text : `${document.title}\n\n${document.text}`,
  }));
  const folded = new Map(files.map((file) => [file, normalizeSearchText(file.text)]));
  const { rarity } = shippedAnswerTools();
  return (asked) => {
    const { words, queries } = searchFor(asked, rarity);
    const counts = new Map<SourceDocument, Set<object>>();
    for (const query of queries) {
      const terms = searchTermsOf(query.forms.join(' '));
      const found = files.filter((file) => terms.every((term) => folded.get(file)?.includes(term) === true));
      for (const file of found.slice(0, filesPerQuery))
        counts.set(file, (counts.get(file) ?? new Set()).union(new Set(query.words)));
    }
    return [...counts]
      .sort(([, one], [, other]) => other.size - one.size)
      .slice(0, filesMax)
      .map(([file]) => readDocument({ ...file, passages: findPassages(file.text, words) }));
  };
}
