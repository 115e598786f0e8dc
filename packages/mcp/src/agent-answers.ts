import type { AgentQuestion, Answer } from '@daybook/client/platform';
import { AgentNotChosen, RequestRefused } from '@daybook/client/platform';

import { linkTo, markdownDocument, plainText, untrusted, untrustedNote } from './markdown/markdown-text.ts';
import type { McpNews, NewsAnswer } from './news.ts';
import { NewsRefused, refusalOf } from './news.ts';

/** The answer of an agent: sentences with the numbers of their sources. */
export async function answerWithAnswer(news: McpNews, asked: AgentQuestion): Promise<NewsAnswer> {
  if (news.ask === null) throw new NewsRefused('unauthenticated', 'Configure credentials to ask agents.');
  const answer = await news.ask(asked).catch(raiseRefusal);
  const placeOf = ({ kind, id }: { readonly kind: string; readonly id: string }): number =>
    answer.sources.findIndex((source) => source.kind === kind && source.id === id) + 1;
  const data = {
    id: answer.id,
    answered: answer.answered,
    sentences: answer.sentences.map(({ text, lang, cites }) => ({ text, lang, cites: cites.map(placeOf) })),
    leftOut: answer.left_out,
    contradictions: answer.contradictions.map(({ sentences }) => sentences.map((at) => at + 1)),
    sources: answer.sources,
  };
  const markdown = outlineOf(answer, placeOf);
  return { data, outline: markdown, markdown, freshForMs: 0 };
}

type Reason = Answer['left_out'][number]['reason'];

const omittedBecause: Readonly<Record<Exclude<Reason, 'unanswered'>, string>> = {
  unavailable: 'its source is no longer available',
  changed: 'its source has changed',
  unsupported: 'its citation does not support it',
  uncited: 'it has no citation',
};

function outlineOf(answer: Answer, placeOf: (cite: Answer['sources'][number]) => number): string {
  const said = answer.sentences.map(
    ({ text, cites }) =>
      `- ${plainText(text)} ${cites.map((cite) => `(${placeOf(cite as never)})`).join(' ')}`,
  );
  const cited = answer.sources.map(({ title, url, publisher }, at) =>
    [`${at + 1}. ${plainText(title)}`, plainText(publisher ?? ''), linkTo(url)].filter(Boolean).join(' '),
  );
  const missing = answer.left_out.map(({ reason, text }) =>
    reason === 'unanswered'
      ? `No source answers: ${plainText(text ?? '')}`
      : `A sentence was omitted: ${omittedBecause[reason]}.`,
  );
  const differ = answer.contradictions.map(
    ({ sentences: [one = 0, other = 0] }) => `Sentences ${one + 1} and ${other + 1} state different numbers.`,
  );
  const body = said.length === 0 ? [] : [untrustedNote, untrusted([...said, '', ...cited])];
  return markdownDocument('Answer', [...body, ...differ, ...missing]);
}

function raiseRefusal(error: unknown): never {
  if (error instanceof AgentNotChosen) throw new NewsRefused('agent', plainText(error.message));
  if (error instanceof RequestRefused) throw refusalOf(error);
  throw error;
}
