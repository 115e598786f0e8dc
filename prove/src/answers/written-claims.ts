import { readFileSync } from 'node:fs';

import type { SuiteContext } from '@daybook/evidence';
import { seededRandom } from '@daybook/evidence';
import { entitiesOf, splitSentences, statedFacts } from '@daybook/grounding';

import type { SourceDocument } from '../../../apps/server/src/agents/answers/extract/index.ts';
import type { AnswerSet } from '../../../apps/server/src/agents/evaluation/index.ts';
import { pick } from '../permissions/policy-draw.ts';

/** A sentence that a model writes about a document, and whether the document supports it. */
export interface WrittenClaim {
  readonly document: string;
  readonly text: string;
  readonly isTrue: boolean;
  /** The kind of error, or how a true sentence was made. */
  readonly kind: string;
  /** By words, it finds the document. */
  readonly question: string;
}

export interface ClaimSet {
  readonly name: string;
  readonly documents: readonly SourceDocument[];
  readonly claims: readonly WrittenClaim[];
}

interface ClaimRow {
  readonly class: string;
  readonly articles: readonly string[];
  readonly sentence: string;
  readonly true: boolean;
  readonly crossLanguage: boolean;
}

interface ArticleRow {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly publishedAt: string | null;
}

const rowsOf = <Row>(file: string): Row[] =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Row);

/** Sentences that editors wrote about real articles, each true or with one planted error. */
export function labelledClaims(context: SuiteContext): ClaimSet {
  const articles = rowsOf<ArticleRow>(context.data('grounding/articles-dev.jsonl'));
  const claims = rowsOf<ClaimRow>(context.data('grounding/claims-dev.jsonl'));
  return {
    name: 'rephrased',
    documents: articles.map(({ id, title, text, publishedAt }) => ({
      kind: 'item',
      id,
      title: title === '' ? (splitSentences(text)[0] ?? '') : title,
      text,
      day: publishedAt?.slice(0, 10) ?? null,
    })),
    claims: claims.flatMap(
      ({ articles: [document = ''], sentence, class: kind, true: isTrue, crossLanguage }) =>
        crossLanguage ? [] : [{ document, text: sentence, isTrue, kind, question: sentence }],
    ),
  };
}

/**
 * Sentences of other documents that answer a labelled question, whole and without their last clause, and the same with an
 * error that a program made. The rules of the check were not fitted to these.
 */
export function madeClaims({ questions, documents }: AnswerSet): ClaimSet {
  const random = seededRandom(570);
  const byId = new Map(documents.map((document) => [document.id, document]));
  const claims = new Map<string, WrittenClaim>();
  for (const { facts } of questions) {
    for (const { document: id, quote } of facts) {
      const document = byId.get(id);
      const sentence = document === undefined ? undefined : sentenceOf(document, quote);
      if (document === undefined || sentence === undefined) continue;
      const add = (text: string, isTrue: boolean, kind: string): void => {
        if (text !== sentence || isTrue)
          claims.set(text, { document: id, text, isTrue, kind, question: sentence });
      };
      add(sentence, true, 'copied');
      add(shortened(sentence), true, 'shortened');
      for (const [kind, text] of faultsIn(sentence, document, random)) add(text, false, kind);
    }
  }
  return { name: 'made', documents, claims: [...claims.values()] };
}

function sentenceOf({ text }: SourceDocument, quote: string): string | undefined {
  return splitSentences(text).find((sentence) => sentence.includes(quote) && sentence.length <= 450);
}

/** Without what follows its last comma, if a statement of some length remains. */
function shortened(sentence: string): string {
  const match = /^(.{40,}?)[,，](?!\d)[^,，]*([.。])$/u.exec(sentence);
  if (match === null) return sentence;
  const [, head = sentence, stop = ''] = match;
  return head.length * 2 > sentence.length && !/[“"「]/u.test(head) ? head + stop : sentence;
}

function* faultsIn(
  sentence: string,
  document: SourceDocument,
  random: () => number,
): Generator<readonly [string, string]> {
  const facts = statedFacts(sentence);
  const number = facts.quantities.find(({ text }) => /^\d/u.test(text));
  const [digits] = /\d[\d,]*(?:\.\d+)?/u.exec(number?.text ?? '') ?? [];
  if (digits !== undefined) {
    const other = String(Number(digits.replaceAll(',', '')) + 3);
    yield ['number', sentence.replace(digits, other)];
    const elsewhere = statedFacts(document.text)
      .quantities.map(({ text }) => /\d[\d,]*(?:\.\d+)?/u.exec(text)?.[0])
      .filter((text) => text !== undefined && !sentence.includes(text));
    if (elsewhere.length > 0)
      yield ['value of another place', sentence.replace(digits, pick(random, elsewhere) ?? '')];
  }
  const names = entitiesOf(sentence).map(({ text }) => text);
  const [first, second] = names;
  if (first !== undefined) {
    yield ['new name', sentence.replace(first, 'Halvoric')];
    if (second !== undefined && !first.includes(second) && !second.includes(first)) {
      const swapped = sentence.replace(first, '\u0000').replace(second, first).replace('\u0000', second);
      yield ['names exchanged', swapped];
    }
  }
  const denied = sentence.replace(/\b(is|are|was|were|will|has|have|had|can|could)\b(?! not)/u, '$1 not');
  yield ['denied', denied];
  const opposite = sentence.replace(
    /\b(rose|fell|increased|decreased|gained|lost|up|down)\b|(上升|下跌|增加|減少|减少|上涨|下降)/u,
    (word) => opposites[word] ?? word,
  );
  yield ['opposite', opposite];
  yield [
    'invented end',
    sentence.replace(/[.。]$/u, (stop) =>
      stop === '。' ? '，并将裁员。' : ', and will cut jobs in Ostrava.',
    ),
  ];
}

const opposites: Readonly<Record<string, string>> = {
  rose: 'fell',
  fell: 'rose',
  increased: 'decreased',
  decreased: 'increased',
  gained: 'lost',
  lost: 'gained',
  up: 'down',
  down: 'up',
  上升: '下跌',
  下跌: '上升',
  增加: '減少',
  減少: '增加',
  减少: '增加',
  上涨: '下跌',
  下降: '上升',
};
