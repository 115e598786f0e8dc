import type { Rate } from '../../foundation/evaluation/rate.ts';
import { rateOf } from '../../foundation/evaluation/rate.ts';
import type { AnsweredPart, AskedQuestion, ReadDocument } from '../answers/extract/index.ts';
import { readDocument } from '../answers/extract/index.ts';
import { dayOf } from './labelled-answers.ts';
import type { AnswerSet, LabelledFact, LabelledQuestion } from './labelled-answers.ts';

/** How a question of the labelled set was answered. */
interface AnswerOutcome {
  readonly question: LabelledQuestion;
  /** Whether the candidates contain every labelled fact. */
  readonly retrieved: boolean;
  /** Whether the answer says every labelled fact. */
  readonly found: boolean;
  /** Whether it says them in sentences of the labelled documents. */
  readonly supported: boolean;
  /** Whether the answer has no sentence. */
  readonly refused: boolean;
  /** Whether the answer says something that a mix-up would say. */
  readonly wrong: boolean;
  readonly sentences: readonly string[];
}

interface AnswersEvaluation {
  readonly rates: readonly Rate[];
  readonly outcomes: readonly AnswerOutcome[];
}

type Answerer = (
  asked: AskedQuestion,
  documents: readonly ReadDocument[],
  question: LabelledQuestion,
) => readonly AnsweredPart[];

/** Answers every question of a labelled set from its documents and compares the answers with the labels. */
export function evaluateAnswers({ questions, documents }: AnswerSet, answer: Answerer): AnswersEvaluation {
  const read = documents.map(readDocument);
  const byId = new Map(questions.map((question) => [question.id, question]));
  const outcomes = questions.map((question) =>
    outcomeOf(question, answer(askedQuestion(question, byId), read, question)),
  );
  return { outcomes, rates: ratesOf(outcomes) };
}

/** With the questions before it in the conversation. */
export function askedQuestion(
  { question, asOf, followUpOf }: LabelledQuestion,
  byId: ReadonlyMap<string, LabelledQuestion>,
): AskedQuestion {
  const before: string[] = [];
  const seen = new Set<string>();
  for (
    let one = byId.get(followUpOf ?? '');
    one !== undefined && !seen.has(one.id);
    one = byId.get(one.followUpOf ?? '')
  ) {
    seen.add(one.id);
    before.unshift(one.question);
  }
  return { text: question, before, day: dayOf(asOf) };
}

function outcomeOf(question: LabelledQuestion, parts: readonly AnsweredPart[]): AnswerOutcome {
  const quoted = parts.flatMap(({ sentences }) => sentences);
  const sentences = [...new Set(quoted.map(({ sentence }) => sentence.text))];
  const candidates = parts.flatMap((part) => part.candidates);
  const says = (fact: LabelledFact, texts: readonly string[]): boolean =>
    [fact.answer, ...(fact.accept ?? [])].some((text) => contains(texts.join('\n'), text));
  const textsIn = (id: string): string[] =>
    quoted.filter(({ document }) => document.source.id === id).map(({ sentence }) => sentence.text);
  const { facts } = question;
  return {
    question,
    retrieved: facts.every((fact) => candidates.some((candidate) => isQuoted(fact, candidate))),
    found: facts.length > 0 && facts.every((fact) => says(fact, sentences)),
    supported: facts.length > 0 && facts.every((fact) => says(fact, textsIn(fact.document))),
    refused: sentences.length === 0,
    wrong: question.mustNotSay.some((text) => contains(sentences.join('\n'), text)),
    sentences,
  };
}

const plain = (text: string): string => text.toLowerCase().replaceAll(/[\s,“”"'’]/gu, '');

/** Regardless of case, spaces, quotation marks and thousands separators. */
export function contains(text: string, part: string): boolean {
  return plain(text).includes(plain(part));
}

/** A quotation may go over the end of a sentence: its beginning or end then identifies the sentence. */
const endLength = 25;

export function isQuoted(
  { document, quote }: LabelledFact,
  candidate: Pick<AnsweredPart['candidates'][number], 'document' | 'sentence'>,
): boolean {
  if (candidate.document.source.id !== document) return false;
  const [sentence, quoted] = [plain(candidate.sentence.text), plain(quote)];
  if (sentence.includes(quoted) || (sentence.length > endLength / 2 && quoted.includes(sentence)))
    return true;
  return (
    quoted.length > endLength &&
    (sentence.includes(quoted.slice(0, endLength)) || sentence.includes(quoted.slice(-endLength)))
  );
}

function ratesOf(outcomes: readonly AnswerOutcome[]): Rate[] {
  const answerable = outcomes.filter(({ question }) => question.answerable);
  const others = outcomes.filter(({ question }) => !question.answerable);
  const rate = (
    name: string,
    some: readonly AnswerOutcome[],
    test: (outcome: AnswerOutcome) => boolean,
  ): Rate => rateOf(name, some.filter(test).length, some.length);
  // The correction of a wrong question is as good as a refusal.
  const isRefused = ({ refused, found }: AnswerOutcome): boolean => refused || found;
  const grouped = (
    name: string,
    some: readonly AnswerOutcome[],
    key: (outcome: AnswerOutcome) => string,
    test: (outcome: AnswerOutcome) => boolean,
  ): Rate[] =>
    [...Map.groupBy(some, key)].map(([group, members]) => rate(`${name}: ${group}`, members, test));
  const language = ({ question }: AnswerOutcome): string => question.language;
  const type = ({ question }: AnswerOutcome): string => question.type;
  return [
    rate('retrieved', answerable, ({ retrieved }) => retrieved),
    rate('found', answerable, ({ found }) => found),
    rate('found in the labelled documents', answerable, ({ supported }) => supported),
    rate('refused, of unanswerable', others, isRefused),
    rate('refused, of answerable', answerable, ({ refused }) => refused),
    rate('wrong', outcomes, ({ wrong }) => wrong),
    ...grouped('found', answerable, language, ({ found }) => found),
    ...grouped('refused', others, language, isRefused),
    ...grouped('wrong', outcomes, language, ({ wrong }) => wrong),
    ...grouped('found', answerable, type, ({ found }) => found),
    ...grouped('refused', others, type, isRefused),
  ];
}
