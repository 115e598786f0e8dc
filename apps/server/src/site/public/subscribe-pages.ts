import { html } from 'ghtml';
import { Type } from 'typebox';

import { closedObject } from '../../foundation/closed-object.ts';
import { invalidRequest, notFound } from '../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../foundation/http/route.ts';
import { ProblemError } from '../../foundation/problem.ts';
import type { Choices, Mailing, Subscription } from '../../mailing/index.ts';
import {
  mailedKinds,
  openSubscription,
  requestSubscription,
  saveSubscription,
  subscriptionPaths,
  unsubscribe,
} from '../../mailing/index.ts';
import { checkboxes, confirmedForm, field, form, hidden, notice, select } from '../shell/form-controls.ts';
import type { InterfaceLanguage } from '../shell/words/words.ts';
import { interfaceLanguages } from '../shell/words/words.ts';
import type { PageContext } from './page-context.ts';
import type { SiteTools } from './public-page.ts';
import type { ReaderPage } from './reader-form.ts';
import { defineReaderForm } from './reader-form.ts';
import { deadLinkPage, endedPage, TokenQuery, unsubscribePages } from './unsubscribe-pages.ts';

const reports = Type.Optional(Type.Array(Type.String({ maxLength: 20 }), { maxItems: 10 }));
const { token } = TokenQuery.properties;
const language = Type.Optional(Type.Enum([...interfaceLanguages]));
const RequestBody = closedObject({
  email: Type.Optional(Type.String({ maxLength: 320 })),
  reports,
  language,
});
const ManageBody = closedObject({ token, reports, language });
/** Mail subscription, the targets of its links, and one-click unsubscribe (RFC 8058). */
export function subscribePages(tools: SiteTools, mailing: Mailing): readonly RouteDeclaration[] {
  return [...requestPages(tools, mailing), ...managePages(tools, mailing), ...endPages(tools, mailing)];
}

function requestPages(tools: SiteTools, mailing: Mailing): readonly RouteDeclaration[] {
  const { subscribe: path } = subscriptionPaths;
  return [
    ...defineReaderForm(tools, {
      method: 'GET',
      path,
      operationId: 'showSubscribe',
      show: async (_input, context) => subscribePage(context, {}, { daily: true, weekly: false }, null),
    }),
    ...defineReaderForm(tools, {
      method: 'POST',
      path,
      operationId: 'requestSubscription',
      body: RequestBody,
      limits: mailing.mailSurface,
      fromOwnPage: true,
      show: async ({ body }, context) => {
        const { email = '', language: chosen = context.language } = body;
        const { words } = context;
        await requestSubscription(mailing, { email, choices: choicesOf(body.reports), language: chosen });
        const { subscribe: messages } = words;
        return {
          title: messages.sent,
          path: null,
          main: html`<h1>${messages.sent}</h1>
            <p class="lead">${messages.sentText}</p>
            <p class="hint">${messages.noSubscription}</p>`,
        };
      },
      refused: ({ body }, context, problem) =>
        problem.definition === invalidRequest
          ? subscribePage(context, body, choicesOf(body.reports), problem)
          : null,
    }),
  ];
}

function managePages(tools: SiteTools, mailing: Mailing): readonly RouteDeclaration[] {
  const { manage: path } = subscriptionPaths;
  return [
    ...defineReaderForm(tools, {
      method: 'GET',
      path,
      operationId: 'showSubscription',
      query: TokenQuery,
      problems: [notFound],
      show: async ({ query }, context) => {
        const found = requireLink(await openSubscription(mailing, query.token ?? ''));
        return found.state === 'ended'
          ? endedPage(textsOf(context))
          : managePage(context, found, query.token ?? '');
      },
      refused: (_input, context, problem) =>
        problem.definition === notFound ? deadLinkPage(textsOf(context)) : null,
    }),
    ...defineReaderForm(tools, {
      method: 'POST',
      path,
      operationId: 'saveSubscription',
      body: ManageBody,
      fromOwnPage: true,
      problems: [notFound],
      show: async ({ body }, context) => {
        const choices = choicesOf(body.reports);
        const saved = requireLink(await saveSubscription(mailing, body.token ?? '', choices, body.language));
        return managePage(context, saved, body.token ?? '', notice('good', context.words.subscribe.saved));
      },
      refused: ({ body }, context, problem) => {
        if (problem.definition === notFound) return deadLinkPage(textsOf(context));
        if (problem.definition !== invalidRequest) return null;
        const { language: chosen = context.language } = body;
        const tried: Subscription = { ...unsaved, choices: choicesOf(body.reports), language: chosen };
        return managePage(context, tried, body.token ?? '', faultNotice(context, problem));
      },
    }),
  ];
}

const textsOf = ({ words: { subscribe }, href }: PageContext) => ({
  ...subscribe,
  next: { href: href(subscriptionPaths.subscribe), label: subscribe.again },
  another: { href: href(subscriptionPaths.subscribe), label: subscribe.anotherLink },
});

function endPages(tools: SiteTools, mailing: Mailing): readonly RouteDeclaration[] {
  return unsubscribePages(tools, {
    path: subscriptionPaths.unsubscribe,
    operations: { show: 'showUnsubscribe', end: 'unsubscribe' },
    isOpen: async (secret) => {
      const found = await openSubscription(mailing, secret);
      return found === null ? null : found.state !== 'ended';
    },
    end: (secret) => unsubscribe(mailing, secret),
    textsOf,
  });
}

/** The rest of a subscription whose form was refused. */
const unsaved = { id: '' as Subscription['id'], email: null, state: 'active' } as const;

function requireLink<Known>(known: Known | null): Known {
  if (known !== null) return known;
  throw new ProblemError(notFound, 'The link has expired or is incomplete.');
}

function choicesOf(chosen: readonly string[] = []): Choices {
  return { daily: chosen.includes('daily'), weekly: chosen.includes('weekly') };
}

function reportFields({ words }: PageContext, choices: Choices): string {
  const { subscribe: messages, edition } = words;
  return checkboxes({
    name: 'reports',
    label: messages.reports,
    options: mailedKinds.map((kind) => ({
      value: kind,
      label: `${edition.the[kind]}: ${edition.when[kind]}`,
    })),
    chosen: mailedKinds.filter((kind) => choices[kind]),
  });
}

/** Of the mailed reports. */
function languageField({ words: { sourcesPage } }: PageContext, chosen: InterfaceLanguage): string {
  return select({
    name: 'language',
    label: sourcesPage.language,
    options: interfaceLanguages.map((value) => ({ value, label: sourcesPage.languages[value] ?? value })),
    chosen: [chosen],
  });
}

function faultNotice({ words }: PageContext, { errors = [] }: ProblemError): string {
  const { subscribe: messages } = words;
  return notice('bad', errors.some(({ name }) => name === 'email') ? messages.noAddress : messages.noReport);
}

interface RequestedMail {
  readonly email?: string;
  readonly language?: InterfaceLanguage;
}

function subscribePage(
  context: PageContext,
  { email = '', language: chosen = context.language }: RequestedMail,
  choices: Choices,
  problem: ProblemError | null,
): ReaderPage {
  const { words, href } = context;
  const { subscribe: messages } = words;
  const address = field({
    name: 'email',
    label: messages.address,
    type: 'email',
    value: email,
    autocomplete: 'email',
    maxLength: 254,
  });
  return {
    title: messages.title,
    path: subscriptionPaths.subscribe,
    main: html`<h1>${messages.title}</h1>
      <p class="lead">${messages.lead}</p>
      !${problem === null ? '' : faultNotice(context, problem)}
      !${form({
        action: href(subscriptionPaths.subscribe),
        submit: messages.submit,
        fields: address + reportFields(context, choices) + languageField(context, chosen),
      })}
      <p class="hint">${messages.privacy}</p>`,
  };
}

function managePage(
  context: PageContext,
  { state, email, choices, language: chosen }: Subscription,
  secret: string,
  shown = '',
): ReaderPage {
  const { words, href } = context;
  const { subscribe } = words;
  const isNew = state === 'unconfirmed';
  const title = isNew ? subscribe.confirm : subscribe.manage;
  return {
    title,
    path: null,
    main: html`<h1>${title}</h1>
      !${shown} !${email === null ? '' : html`<p class="lead">${email}</p>`}
      !${form({
        action: href(subscriptionPaths.manage),
        submit: isNew ? subscribe.confirm : subscribe.save,
        fields: hidden('token', secret) + reportFields(context, choices) + languageField(context, chosen),
      })}
      !${
        isNew
          ? ''
          : confirmedForm(subscribe.unsubscribe, {
              action: `${href(subscriptionPaths.unsubscribe)}?token=${encodeURIComponent(secret)}`,
              submit: subscribe.unsubscribe,
              dangerous: true,
            })
      }`,
  };
}
