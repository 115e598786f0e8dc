import { seededRandom } from '@daybook/evidence';
import { entitiesOf } from '@daybook/grounding';

import type { LabelledQuestion } from '../../../apps/server/src/agents/evaluation/index.ts';

const otherPeriods: readonly (readonly [RegExp, string])[] = [
  [/third[- ]quarter/iu, 'first quarter'],
  [/第三季|上季/u, '今年第二季'],
  [/去年/u, '前年'],
  [/2019/u, '2016'],
  [/今年/u, '2019年'],
];

/** Answerable questions with another name or another period: the corpus does not answer them. */
export function changedQuestions(questions: readonly LabelledQuestion[]): LabelledQuestion[] {
  const random = seededRandom(7);
  const names = questions.flatMap(({ question }) => namesIn(question).map(({ text }) => text));
  return questions
    .filter(({ answerable }) => answerable)
    .flatMap((question) => {
      const others = names.filter((name) => !question.question.includes(name));
      const name = others[Math.floor(random() * others.length)] ?? '';
      return [...withOtherName(question.question, name), ...withOtherPeriod(question.question)].map(
        (text) => ({
          ...question,
          question: text,
          answerable: false,
        }),
      );
    });
}

function namesIn(question: string): ReturnType<typeof entitiesOf> {
  return entitiesOf(question.replace(/^\w+/u, (word) => word.toLowerCase()));
}

function withOtherName(question: string, other: string): string[] {
  const [name] = namesIn(question);
  return name === undefined ? [] : [question.slice(0, name.start) + other + question.slice(name.end)];
}

function withOtherPeriod(question: string): string[] {
  return otherPeriods
    .filter(([form]) => form.test(question))
    .map(([form, other]) => question.replace(form, other));
}
