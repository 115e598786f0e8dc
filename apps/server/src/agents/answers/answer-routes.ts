import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';

import {
  forbidden,
  invalidCursor,
  invalidRequest,
  notFound,
  temporarilyUnavailable,
} from '../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../foundation/http/route.ts';
import { defineRoute } from '../../foundation/http/route.ts';
import type { Surface } from '../../foundation/http/surface.ts';
import { UnfilteredPageQuery } from '../../foundation/pagination/page-schema.ts';
import { ProblemError } from '../../foundation/problem.ts';
import { MemberParams, agentsRequestOf, memberParams, memberPath } from '../agents-address.ts';
import { budgetExhausted } from '../budgets/budget.ts';
import type { AnswerDeps } from './answer-deps.ts';
import { clientLeft, eventStream, sendEvents } from './answer-events.ts';
import { changeRetention, readRetention } from './answer-retention.ts';
import {
  AnswerPageSchema,
  AnswerSchema,
  AskSchema,
  RetentionSchema,
  presentAnswer,
  presentListedAnswer,
} from './answer-schema.ts';
import { ask } from './ask.ts';
import { listAnswers, readAnswer, removeAnswer } from './read-answers.ts';

export interface AnswerRoutesDeps extends AnswerDeps {
  readonly surface: Surface;
}

const tag = 'answers';
const answersPath = `${memberPath}/mentors/{unique_id}/answers/`;
const answerPath = `${answersPath}{answer_id}/`;
const retentionPath = `${memberPath}/answer-retention/`;
const agentParams = { ...memberParams, unique_id: Type.String({ maxLength: 64 }) };
const AgentParams = Type.Object(agentParams);
const AnswerParams = Type.Object({ ...agentParams, answer_id: Type.String({ maxLength: 64 }) });
const bodyBytesMax = 16 * 1024;
const requestKeyHeader = 'idempotency-key';
const requestKeyCharsMax = 200;

export function answerRoutes(deps: AnswerRoutesDeps): readonly RouteDeclaration[] {
  return [askRoute(deps), listRoute(deps), ...oneAnswerRoutes(deps), ...retentionRoutes(deps)];
}

function askRoute(deps: AnswerRoutesDeps): RouteDeclaration {
  return defineRoute({
    method: 'POST',
    path: answersPath,
    surface: deps.surface,
    operationId: 'askAgent',
    tag,
    summary: 'Ask an agent.',
    description:
      'The answer consists of sentences quoted from the sources that you and the agent can read, or written by the language model of the agent, each with a citation. If no source answers the question, the answer has no sentences.',
    params: AgentParams,
    requestHeaders: {
      'Idempotency-Key': {
        description:
          'Chosen by the client. A repeated request with the same key returns the same answer, without another paid model call.',
        schema: Type.String({ maxLength: requestKeyCharsMax }),
      },
    },
    body: AskSchema,
    bodyBytesMax,
    responses: {
      200: {
        description:
          'With `Accept: text/event-stream`: an event `sentence` for each sentence as soon as it is checked, then an event `answer` with the whole answer, which is authoritative. The model is stopped when the client disconnects.',
        schema: Type.String(),
        contentType: eventStream,
      },
      201: { description: 'The answer.', schema: AnswerSchema },
    },
    problems: [forbidden, notFound, temporarilyUnavailable, budgetExhausted],
    handle: async ({ params, body, request, reply }) => {
      const asked = {
        ...agentsRequestOf(request, params),
        agentId: params.unique_id,
        question: body.question,
        follows: body.follows ?? null,
        requestKey: requestKeyOf(request),
      };
      reply.header('cache-control', 'no-store');
      if (request.headers.accept?.includes(eventStream) === true)
        return sendEvents(reply, (live) => ask(deps, asked, live));
      const answer = await ask(deps, asked, { signal: clientLeft(reply) });
      return reply.code(201).send(presentAnswer(answer));
    },
  });
}

function requestKeyOf({ headers }: FastifyRequest): string | null {
  const key = headers[requestKeyHeader];
  if (key === undefined) return null;
  if (typeof key === 'string' && key.length <= requestKeyCharsMax) return key;
  throw new ProblemError(
    invalidRequest,
    `Idempotency-Key can have at most ${requestKeyCharsMax} characters.`,
  );
}

function listRoute(deps: AnswerRoutesDeps): RouteDeclaration {
  return defineRoute({
    method: 'GET',
    path: answersPath,
    surface: deps.surface,
    operationId: 'listAnswers',
    tag,
    summary: 'List your answers from an agent.',
    description: 'Quotations are read from the sources again: withdrawn texts are omitted.',
    params: AgentParams,
    query: UnfilteredPageQuery,
    responses: { 200: { description: 'A page.', schema: AnswerPageSchema } },
    problems: [invalidCursor, forbidden, notFound],
    handle: async ({ params, query, request, reply }) => {
      const asked = { ...agentsRequestOf(request, params), agentId: params.unique_id, page: query };
      return reply
        .header('cache-control', 'no-store')
        .send(await listAnswers(deps, asked, presentListedAnswer));
    },
  });
}

function oneAnswerRoutes(deps: AnswerRoutesDeps): readonly RouteDeclaration[] {
  return [
    defineRoute({
      method: 'GET',
      path: answerPath,
      surface: deps.surface,
      operationId: 'readAnswer',
      tag,
      summary: 'Get an answer.',
      description: 'Quotations are read from the sources again: withdrawn texts are omitted.',
      params: AnswerParams,
      responses: { 200: { description: 'The answer.', schema: AnswerSchema } },
      problems: [forbidden, notFound],
      handle: async ({ params, request, reply }) => {
        const asked = { ...agentsRequestOf(request, params), agentId: params.unique_id };
        const answer = await readAnswer(deps, { ...asked, answerId: params.answer_id });
        return reply.header('cache-control', 'no-store').send(presentAnswer(answer));
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: answerPath,
      surface: deps.surface,
      operationId: 'deleteAnswer',
      tag,
      summary: 'Delete an answer.',
      params: AnswerParams,
      responses: { 204: { description: 'Deleted.' } },
      problems: [forbidden, notFound],
      handle: async ({ params, request, reply }) => {
        const asked = { ...agentsRequestOf(request, params), agentId: params.unique_id };
        await removeAnswer(deps, { ...asked, answerId: params.answer_id });
        return reply.code(204).header('cache-control', 'no-store').send();
      },
    }),
  ];
}

function retentionRoutes(deps: AnswerRoutesDeps): readonly RouteDeclaration[] {
  return [
    defineRoute({
      method: 'GET',
      path: retentionPath,
      surface: deps.surface,
      operationId: 'readAnswerRetention',
      tag,
      summary: 'Get the retention of answers in days.',
      params: MemberParams,
      responses: { 200: { description: 'The retention.', schema: RetentionSchema } },
      problems: [forbidden, notFound],
      handle: async ({ params, request, reply }) =>
        reply
          .header('cache-control', 'no-store')
          .send({ keep_days: await readRetention(deps, agentsRequestOf(request, params)) }),
    }),
    defineRoute({
      method: 'PUT',
      path: retentionPath,
      surface: deps.surface,
      operationId: 'changeAnswerRetention',
      tag,
      summary: 'Set the retention of answers in days.',
      description:
        'Requires the permission to change the organization. Older answers are deleted within a day.',
      params: MemberParams,
      body: RetentionSchema,
      bodyBytesMax,
      responses: { 200: { description: 'The retention.', schema: RetentionSchema } },
      problems: [forbidden, notFound],
      handle: async ({ params, body, request, reply }) => {
        await changeRetention(deps, { ...agentsRequestOf(request, params), keepDays: body.keep_days });
        return reply.header('cache-control', 'no-store').send({ keep_days: body.keep_days });
      },
    }),
  ];
}
