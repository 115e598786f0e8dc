import { contentWords, sharedWords } from '@daybook/grounding';
import { checkQuotes } from '@daybook/grounding/quotes';

import type { Digest, DigestSentence, SentenceQuote } from './compose-digest.ts';
import type { ReadItem, StoryItem } from './story-item.ts';
import { readItem } from './story-item.ts';

/** Quotations are short: longer sentences are not quoted. */
const spanCharsMax = 400;
const spansMax = 2;
/** Of each item, the sentences that share the most words are tried. */
const candidatesMax = 4;

/** The digest with the sentences of its items that support each of its own, so that readers can repeat the check. */
export function withQuotes(digest: Digest, items: readonly StoryItem[]): Digest {
  const byId = new Map(items.map((item) => [item.id, item]));
  const read = new Map<string, ReadItem>();
  const readOnce = (id: string): ReadItem[] => {
    const item = byId.get(id);
    if (item === undefined) return [];
    const known = read.get(id) ?? readItem(item);
    read.set(id, known);
    return [known];
  };
  const sentences = digest.sentences.map(({ text, cites }): DigestSentence => ({
    text,
    cites,
    quotes: quotesFor(text, cites.flatMap(readOnce)),
  }));
  return { ...digest, sentences };
}

interface Candidate {
  readonly item: ReadItem;
  readonly spans: readonly string[];
}

/** The closest sentence of each item, and another one where it contains a fact that is missing. */
function quotesFor(sentence: string, items: readonly ReadItem[]): readonly SentenceQuote[] {
  const closest = items.map((item) => ({ item, spans: closestSentences(sentence, item) }));
  let chosen: readonly Candidate[] = closest.flatMap(({ item, spans: [first] }) =>
    first === undefined ? [] : [{ item, spans: [first] }],
  );
  let missing = missingFacts(sentence, chosen);
  for (const { item, spans } of closest) {
    for (const span of spans.slice(1)) {
      if (missing === 0) break;
      const wider = chosen.map((one) =>
        one.item === item && one.spans.length < spansMax ? { item, spans: [...one.spans, span] } : one,
      );
      const left = missingFacts(sentence, wider);
      if (left < missing) [chosen, missing] = [wider, left];
    }
  }
  return chosen.map(({ item, spans }) => ({
    itemId: item.item.id,
    sourceName: item.item.sourceName,
    spans: inOrder(item, spans),
  }));
}

/** Not the title, which an editor may have corrected. */
function closestSentences(sentence: string, { sentences }: ReadItem): readonly string[] {
  const body = sentences.slice(1).filter(({ text }) => text.length <= spanCharsMax);
  const same = body.find(({ text }) => text === sentence);
  if (same !== undefined) return [same.text];
  const words = contentWords(sentence);
  return body
    .map((one) => ({ text: one.text, share: sharedWords(one.words, words).share }))
    .filter(({ share }) => share > 0)
    .sort((one, other) => other.share - one.share)
    .slice(0, candidatesMax)
    .map(({ text }) => text);
}

function missingFacts(sentence: string, chosen: readonly Candidate[]): number {
  const quotes = chosen.map(({ item, spans }) => ({ spans, sourceName: item.item.sourceName }));
  return checkQuotes(sentence, quotes).findings.length;
}

function inOrder({ sentences }: ReadItem, spans: readonly string[]): readonly string[] {
  return sentences.flatMap(({ text }) => (spans.includes(text) ? [text] : []));
}
