import type { Static } from 'typebox';
import { Type } from 'typebox';

import { closedObject, titledObject } from '../../foundation/closed-object.ts';
import { isoMicroseconds } from '../../foundation/instant.ts';
import { pageSchema } from '../../foundation/pagination/page-schema.ts';
import type { ReadAnswer } from './answer.ts';
import { leftOutReasons, modelOutcomes, sourceKinds } from './answer.ts';

export const questionCharsMax = 2_000;

export const AskSchema = titledObject('Question', {
  question: Type.String({ minLength: 1, maxLength: questionCharsMax, pattern: String.raw`\S` }),
  follows: Type.Optional(
    Type.Union([Type.String({ maxLength: 64 }), Type.Null()], {
      description: 'The id of the previous answer in the same conversation.',
    }),
  ),
});

const Instant = Type.String({ format: 'date-time' });
const Nullable = (description: string) => Type.Union([Type.String(), Type.Null()], { description });
const kind = Type.Enum([...sourceKinds]);
const sourceId = Type.String({
  description:
    'An item, story or file id, kind and period of a report (`daily/2026-11-15`), or language and id of a correction (`en/019a…`).',
});

const fields = {
  id: Type.String({ format: 'uuid' }),
  question: Type.String(),
  follows: Nullable('The previous answer in the same conversation.'),
  answered: Type.Boolean({
    description: 'False if the answer has no sentences, because no source answers the question.',
  }),
  by: Type.Enum(['extract', 'model'], {
    description:
      '`extract`: every sentence is quoted from a source; `model`: the sentences are in the words of a language model, and the cited passage supports each.',
  }),
  model: Type.Union(
    [closedObject({ provider: Type.String(), outcome: Type.Enum([...modelOutcomes]) }), Type.Null()],
    {
      description:
        'Null if no model was called. `wrote`: the model wrote the answer. Otherwise the answer consists of quotations, because the model found no answer (`silent`), its citations supported none of its sentences (`stopped`), its provider is not configured (`missing`), it failed (`failed`), took too long (`slow`), or too many answers were being written (`busy`).',
      examples: [null],
    },
  ),
  as_of: Type.String({ format: 'date-time', description: 'When the sources were searched.' }),
  sentences: Type.Array(
    closedObject({
      text: Type.String(),
      lang: Nullable('The language of the sentence.'),
      cites: Type.Array(
        closedObject({
          kind,
          id: sourceId,
          quote: Type.String(),
          version: Type.Union([Type.Integer(), Type.Null()], { description: 'Version of a file.' }),
          start: Type.Integer({
            minimum: 0,
            description: 'Offset in title, line feed and text of the source.',
          }),
          end: Type.Integer({ minimum: 0 }),
        }),
      ),
    }),
  ),
  left_out: Type.Array(
    closedObject({
      reason: Type.Enum([...leftOutReasons], {
        description:
          '`unavailable`: the source was withdrawn or is no longer readable; `changed`: its text changed; `unanswered`: no source answers this part of the question; `unsupported`: the cited passage does not support a sentence of the model; `uncited`: a sentence of the model cites no passage.',
      }),
      text: Nullable('The part of the question, if it is unanswered.'),
      kinds: Type.Array(Type.String(), {
        description:
          'What the passage does not support, if the sentence is unsupported: `number`, `name`, `word`, `role` and others.',
      }),
    }),
  ),
  sources: Type.Array(
    closedObject({
      kind,
      id: sourceId,
      title: Type.String(),
      url: Type.String(),
      publisher: Nullable('null for texts of Daybook and files.'),
      published: Nullable('The day, if known.'),
    }),
  ),
  contradictions: Type.Array(
    closedObject({
      sentences: Type.Array(Type.Integer({ minimum: 0 }), { minItems: 2, maxItems: 2, examples: [[0, 1]] }),
    }),
    { description: 'Pairs of sentences, by position, that state different numbers for the same measure.' },
  ),
  usage: closedObject({ input_tokens: Type.Integer(), output_tokens: Type.Integer() }),
};

export const AnswerSchema = titledObject('Answer', fields);
export const AnswerPageSchema = pageSchema(
  titledObject('ListedAnswer', { createdAt: Instant, ...fields }),
  'Answers',
);

type ShownAnswer = Static<typeof AnswerSchema>;

export function presentAnswer({
  answer,
  sentences,
  leftOut,
  sources,
  contradictions,
}: ReadAnswer): ShownAnswer {
  return {
    id: answer.id,
    question: answer.question,
    follows: answer.follows,
    answered: sentences.length > 0,
    by: answer.by,
    model: answer.model,
    as_of: isoMicroseconds(answer.asOf),
    sentences: sentences.map(presentSentence),
    left_out: leftOut.map(({ kinds, ...one }) => ({ ...one, kinds: [...kinds] })),
    sources: sources.map(({ kind, id, title, url, publisher, day }) => ({
      kind,
      id,
      title,
      url,
      publisher,
      published: day,
    })),
    contradictions: contradictions.map((pair) => ({ sentences: [...pair] })),
    usage: { input_tokens: answer.usage.inputTokens, output_tokens: answer.usage.outputTokens },
  };
}

export function presentSentence({
  text,
  language,
  cites,
}: ReadAnswer['sentences'][number]): ShownAnswer['sentences'][number] {
  return { text, lang: language, cites: cites.map((cite) => ({ ...cite })) };
}

export function presentListedAnswer(answer: ReadAnswer): ShownAnswer & { readonly createdAt: string } {
  return { createdAt: isoMicroseconds(answer.answer.createdAt), ...presentAnswer(answer) };
}

export const RetentionSchema = titledObject('AnswerRetention', {
  keep_days: Type.Integer({ minimum: 1, maximum: 3650 }),
});
