import { normalizeSearchText, searchTermsOf } from '../../foundation/search-text.ts';
import type { AskedQuestion, ReadDocument, SourceDocument } from '../answers/extract/index.ts';
import {
  findPassages,
  readDocument,
  searchQueries,
  searchWords,
  shippedAnswerTools,
} from '../answers/extract/index.ts';

/** The same as in the search of storage, whose figures `prove answers` compares. */
const filesPerQuery = 12;
const filesMax = 12;

/** The documents as files of an organization: what a search for the words of a question finds of them. */
export function storedAsFiles(
  documents: readonly SourceDocument[],
): (asked: AskedQuestion) => readonly ReadDocument[] {
  const files = documents.map((document): SourceDocument & { readonly folded: string } => ({
    ...document,
    kind: 'file',
    title: `${document.title}.txt`,
    folded: normalizeSearchText(document.text),
  }));
  const { rarity } = shippedAnswerTools();
  return ({ text, before }) => {
    const words = searchWords(text, before, rarity);
    const counts = new Map<SourceDocument, Set<string>>();
    for (const query of searchQueries(words)) {
      const terms = searchTermsOf(query.join(' '));
      const found = files.filter(({ folded }) => terms.every((term) => folded.includes(term)));
      for (const file of found.slice(0, filesPerQuery))
        counts.set(file, (counts.get(file) ?? new Set()).union(new Set(query)));
    }
    return [...counts]
      .sort(([, one], [, other]) => other.size - one.size)
      .slice(0, filesMax)
      .map(([file]) => readDocument({ ...file, passages: findPassages(file.text, words) }));
  };
}
