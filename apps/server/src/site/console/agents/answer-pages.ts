import { html } from 'ghtml';
import { Type } from 'typebox';

import { agents, answerActions, answers, budgetExhausted } from '../../../agents/index.ts';
import { closedObject } from '../../../foundation/closed-object.ts';
import {
  forbidden,
  invalidCursor,
  notFound,
  temporarilyUnavailable,
} from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import type { ProblemError } from '../../../foundation/problem.ts';
import { field, form, hidden, problemNotice } from '../../shell/form-controls.ts';
import { dataTable } from '../components/data-table.ts';
import { ago } from '../components/moments.ts';
import { buttonLink, card } from '../components/parts.ts';
import type { PersonalPage } from '../console-route.ts';
import { defineMemberForm, defineMemberPage } from '../console-route.ts';
import type { PlatformTools } from '../platform/platform-frame.ts';
import {
  PageLinkQuery,
  callerOfVisitor,
  mayIn,
  organizationParams,
  platformPage,
  platformPath,
} from '../platform/platform-frame.ts';
import { removalPages } from '../platform/removal-pages.ts';
import type { Visitor } from '../visitor.ts';
import { answerContent } from './answer-content.ts';
import { answerWords } from './answer-words.ts';

export type AnswerTools = PlatformTools & Pick<answers.AnswerDeps, 'answerSources' | 'answerModels'>;

const agentParams = { ...organizationParams, id: Type.String({ maxLength: 64 }) };
const AgentParams = Type.Object(agentParams);
const AnswerParams = Type.Object({ ...agentParams, answer: Type.String({ maxLength: 64 }) });
const { question } = answers.AskSchema.properties;
/** Browsers send an empty value for a question without one before it. */
const AskForm = closedObject({ question, follows: Type.Optional(Type.String({ maxLength: 64 })) });
const problems = [forbidden, notFound];
const listPath = '/platform/{org}/agents/{id}/answers';

interface Place {
  readonly org: string;
  readonly id: string;
}

/** Asking an agent, reading its answers, and deleting them. */
export function answerPages(tools: AnswerTools): readonly RouteDeclaration[] {
  return [listPage(tools), askForm(tools), answerPage(tools), ...removal(tools)];
}

const depsOf = ({ access, answerSources, answerModels }: AnswerTools): answers.AnswerDeps => ({
  ...access,
  answerSources,
  answerModels,
});

const requestOf = (visitor: Visitor, { org, id }: Place) => ({
  caller: callerOfVisitor(visitor),
  organizationKey: org,
  username: visitor.account.username,
  agentId: id,
});

function listPage(tools: AnswerTools): RouteDeclaration {
  return defineMemberPage(tools, {
    path: listPath,
    operationId: 'showAnswers',
    params: AgentParams,
    query: PageLinkQuery,
    problems: [...problems, invalidCursor],
    show: async ({ visitor, params, query }) =>
      historyPage(tools, visitor, params, query.cursor === undefined ? {} : { cursor: query.cursor }),
  });
}

function askForm(tools: AnswerTools): RouteDeclaration {
  return defineMemberForm(tools, {
    path: listPath,
    operationId: 'askAgentOnPage',
    params: AgentParams,
    body: AskForm,
    problems: [...problems, temporarilyUnavailable, budgetExhausted],
    show: async ({ visitor, params, body }) => {
      const follows = body.follows === undefined || body.follows === '' ? null : body.follows;
      const asked = { ...requestOf(visitor, params), question: body.question, follows, requestKey: null };
      const { answer } = await answers.ask(depsOf(tools), asked);
      return { to: platformPath(params.org, 'agents', params.id, 'answers', answer.id) };
    },
    refused: async ({ visitor, params, body }, problem) =>
      historyPage(tools, visitor, params, { problem, asked: body.question ?? '' }),
  });
}

function answerPage(tools: AnswerTools): RouteDeclaration {
  return defineMemberPage(tools, {
    path: `${listPath}/{answer}`,
    operationId: 'showAnswer',
    params: AnswerParams,
    problems,
    show: async ({ visitor, params }) => {
      const request = requestOf(visitor, params);
      const agent = await agents.readAgent(tools.access, request);
      const read = await answers.readAnswer(depsOf(tools), { ...request, answerId: params.answer });
      const words = answerWords(visitor.language);
      const may = await mayIn(tools, visitor, params.org);
      const here = platformPath(params.org, 'agents', params.id, 'answers');
      const content = answerContent(read, words, visitor.language, tools.identity.clock.now());
      const next = may(answerActions.create, 'agents', params.id, 'answers')
        ? card({
            title: words.askNext,
            isPadded: true,
            content: questionForm(here, visitor, { follows: params.answer }),
          })
        : '';
      const remove = may(answerActions.delete, 'agents', params.id, 'answers')
        ? buttonLink({ href: `${here}/${params.answer}/remove`, label: words.remove, icon: 'trash' })
        : '';
      return platformPage(tools, visitor, {
        org: params.org,
        tab: 'agents',
        title: read.answer.question,
        actions: remove,
        crumbs: agentCrumbs(params, agent, words.answers),
        main: html`!${content} !${next}`,
      });
    },
  });
}

function removal(tools: AnswerTools): readonly RouteDeclaration[] {
  return removalPages(tools, {
    path: `${listPath}/{answer}/remove`,
    operationId: 'removeAnswerOnPage',
    params: AnswerParams,
    problems,
    describe: async ({ visitor, params }) => {
      const asked = { ...requestOf(visitor, params), answerId: params.answer };
      const { answer } = await answers.readAnswer(depsOf(tools), asked);
      const words = answerWords(visitor.language);
      const back = platformPath(params.org, 'agents', params.id, 'answers', params.answer);
      return {
        org: params.org,
        tab: 'agents',
        title: words.removeTitle,
        consequences: html`<p>${answer.question}</p>
          <p>${words.removeText}</p>`,
        submit: words.remove,
        action: `${back}/remove`,
        back,
      };
    },
    remove: async ({ visitor, params, client }) => {
      const asked = { ...requestOf(visitor, params), answerId: params.answer, client };
      await answers.removeAnswer(depsOf(tools), asked);
      return { to: platformPath(params.org, 'agents', params.id, 'answers') };
    },
  });
}

const agentCrumbs = ({ org, id }: Place, { displayName }: agents.Agent, label?: string) => [
  { href: platformPath(org, 'agents', id), label: displayName },
  ...(label === undefined ? [] : [{ href: platformPath(org, 'agents', id, 'answers'), label }]),
];

interface FormOptions {
  readonly follows?: string;
  readonly asked?: string;
  readonly problem?: ProblemError;
}

function questionForm(
  action: string,
  { language }: Visitor,
  { follows = '', asked = '', problem }: FormOptions = {},
): string {
  const words = answerWords(language);
  const typed = field({
    name: 'question',
    label: words.question,
    hint: words.hint,
    value: asked,
    rows: 3,
    maxLength: answers.questionCharsMax,
    problem,
  });
  const fields = follows === '' ? typed : typed + hidden('follows', follows);
  return form({ action, submit: words.ask, fields });
}

async function historyPage(
  tools: AnswerTools,
  visitor: Visitor,
  place: Place,
  {
    cursor,
    asked = '',
    problem,
  }: { readonly cursor?: string; readonly asked?: string; readonly problem?: ProblemError },
): Promise<PersonalPage> {
  const { org, id } = place;
  const { language } = visitor;
  const words = answerWords(language);
  const request = requestOf(visitor, place);
  const agent = await agents.readAgent(tools.access, request);
  const page = { ...(cursor !== undefined && { cursor }) };
  const found = await answers.listAnswers(depsOf(tools), { ...request, page }, (one) => one);
  const may = await mayIn(tools, visitor, org);
  const here = platformPath(org, 'agents', id, 'answers');
  const now = tools.identity.clock.now();
  const history = dataTable(language, {
    caption: words.history,
    rows: found.data,
    columns: [
      {
        label: words.question,
        place: 'main',
        cell: ({ answer }) => html`<a class="name" href="${here}/${answer.id}">${answer.question}</a>`,
      },
      {
        label: words.answer,
        place: 'also',
        cell: ({ sentences }) =>
          html`${sentences.length === 0 ? words.nothing : words.sentences(sentences.length)}`,
      },
      { label: words.asked, place: 'also', cell: ({ answer }) => ago(answer.createdAt, now, language) },
    ],
    pagination: { ...found.pagination, query: {}, isFirst: cursor === undefined },
    empty: { icon: 'agent', title: words.noHistory, text: words.noHistoryText },
  });
  const asking = may(answerActions.create, 'agents', id, 'answers')
    ? questionForm(here, visitor, { asked, ...(problem !== undefined && { problem }) })
    : '';
  return platformPage(tools, visitor, {
    org,
    tab: 'agents',
    title: words.answers,
    crumbs: agentCrumbs(place, agent),
    main: html`!${problemNotice(problem)} !${asking} !${history}`,
  });
}
