import { Readable } from 'node:stream';

import type { FastifyReply } from 'fastify';

import { invalidRequest } from '../../foundation/http/http-problems.ts';
import { toProblemError } from '../../foundation/http/problem-response.ts';
import { ProblemError } from '../../foundation/problem.ts';
import { presentAnswer, presentSentence } from './answer-schema.ts';
import type { ReadAnswer } from './answer.ts';
import type { LiveAnswer } from './draft-answer.ts';

export const eventStream = 'text/event-stream';

/** Aborted when the client disconnects before the response is complete. */
export function clientLeft({ raw }: FastifyReply): AbortSignal {
  const left = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) left.abort(new ProblemError(invalidRequest, 'The client disconnected.'));
  });
  return left.signal;
}

/**
 * Sends each sentence as soon as it is checked, then the whole answer. An error before the first sentence is an ordinary
 * problem; a later one is an event `error`, and the response then has no event `answer`.
 */
export async function sendEvents(
  reply: FastifyReply,
  answer: (live: LiveAnswer) => Promise<ReadAnswer>,
): Promise<FastifyReply> {
  const events = new Readable({ read: () => {} });
  const push = (name: string, data: object): boolean =>
    events.push(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
  const begun = Promise.withResolvers<void>();
  let sent = 0;
  const onSentence = (sentence: ReadAnswer['sentences'][number]): void => {
    sent += 1;
    push('sentence', presentSentence(sentence));
    begun.resolve();
  };
  const write = async (): Promise<void> => {
    const shown = presentAnswer(await answer({ signal: clientLeft(reply), onSentence }));
    if (sent === 0) for (const sentence of shown.sentences) push('sentence', sentence);
    push('answer', shown);
  };
  const work = write();
  await Promise.race([begun.promise, work]);
  void work
    .catch((error: unknown) => {
      const { definition, detail } = toProblemError(error);
      push('error', { code: definition.code, title: definition.title, detail });
    })
    .finally(() => events.push(null));
  // Proxies must not collect the events.
  return reply.code(200).headers({ 'content-type': eventStream, 'x-accel-buffering': 'no' }).send(events);
}
