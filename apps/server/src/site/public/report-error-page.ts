import { html } from 'ghtml';
import { Type } from 'typebox';

import { closedObject } from '../../foundation/closed-object.ts';
import { invalidRequest } from '../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../foundation/http/route.ts';
import type { ProblemError } from '../../foundation/problem.ts';
import type { ErrorReportDeps } from '../../mailing/error-reports/index.ts';
import { errorPageOf, messageCharsMax, reportError } from '../../mailing/error-reports/index.ts';
import type { Mailing } from '../../mailing/index.ts';
import { field, form, hidden, notice } from '../shell/form-controls.ts';
import type { PageContext } from './page-context.ts';
import type { SiteTools } from './public-page.ts';
import type { ReaderPage } from './reader-form.ts';
import { defineReaderForm } from './reader-form.ts';

const path = '/report-error';
const about = Type.Optional(Type.String({ maxLength: 200 }));
const AboutQuery = Type.Object({ about }, { additionalProperties: true });
const ReportBody = closedObject({
  about,
  message: Type.Optional(Type.String({ maxLength: 20_000 })),
  replyTo: Type.Optional(Type.String({ maxLength: 320 })),
});

/** Where readers report errors, which are mailed to the editors. */
export function reportErrorPage(
  tools: SiteTools,
  { mailSurface, ...deps }: ErrorReportDeps & Pick<Mailing, 'mailSurface'>,
): readonly RouteDeclaration[] {
  return [
    ...defineReaderForm(tools, {
      method: 'GET',
      path,
      operationId: 'showReportError',
      query: AboutQuery,
      show: async ({ query }, context) => errorForm(context, { about: query.about }, null),
    }),
    ...defineReaderForm(tools, {
      method: 'POST',
      path,
      operationId: 'reportError',
      body: ReportBody,
      limits: mailSurface,
      fromOwnPage: true,
      show: async ({ body }, { words, href }) => {
        const { about: page = '', message = '', replyTo = '' } = body;
        await reportError(deps, { about: page, message, replyTo });
        const { reportError: messages } = words;
        return {
          title: messages.thanks,
          path: null,
          main: html`<h1>${messages.thanks}</h1>
            !${notice('good', messages.thanksText)}
            <p><a href="${href('/corrections')}">${words.foot.corrections}</a></p>`,
        };
      },
      refused: ({ body }, context, problem) =>
        problem.definition === invalidRequest ? errorForm(context, body, problem) : null,
    }),
  ];
}

/** A link to the form, prefilled with the current page; empty where no editor's address is configured. */
export function reportErrorLink(
  page: string,
  { takesErrorReports, words, href }: PageContext,
): string | null {
  if (!takesErrorReports) return null;
  const query = page === '' ? '' : `?about=${encodeURIComponent(page)}`;
  return html`<a href="${href(path)}${query}" rel="nofollow">${words.reportError.title}</a>`;
}

function errorForm(
  { words, href }: PageContext,
  given: { readonly about?: string | undefined; readonly message?: string; readonly replyTo?: string },
  problem: ProblemError | null,
): ReaderPage {
  const { reportError: messages } = words;
  const page = errorPageOf(given.about ?? '');
  const isOfAddress = (problem?.errors ?? []).some(({ name }) => name === 'replyTo');
  const fields = [
    hidden('about', page),
    field({
      name: 'message',
      label: messages.what,
      value: given.message ?? '',
      rows: 8,
      maxLength: messageCharsMax,
    }),
    field({
      name: 'replyTo',
      label: messages.replyTo,
      type: 'email',
      value: given.replyTo ?? '',
      hint: messages.replyToHint,
      autocomplete: 'email',
      required: false,
      maxLength: 254,
    }),
  ];
  return {
    title: messages.title,
    path,
    main: html`<h1>${messages.title}</h1>
      <p class="lead">${messages.lead}</p>
      !${page === '' ? '' : html`<p>${messages.about} <a href="${page}">${page}</a></p>`}
      !${problem === null ? '' : notice('bad', isOfAddress ? words.subscribe.noAddress : messages.tooShort)}
      !${form({ action: href(path), submit: messages.submit, fields: fields.join('') })}`,
  };
}
