import { html } from 'ghtml';
import { Type } from 'typebox';

import { notFound } from '../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../foundation/http/route.ts';
import { ProblemError } from '../../foundation/problem.ts';
import { form, notice } from '../shell/form-controls.ts';
import type { PageContext } from './page-context.ts';
import type { SiteTools } from './public-page.ts';
import type { ReaderPage } from './reader-form.ts';
import { defineReaderForm } from './reader-form.ts';

/** As received from a mail program: an address that it altered gets a page that helps. */
export const TokenQuery = Type.Object(
  { token: Type.Optional(Type.String({ maxLength: 200 })) },
  { additionalProperties: true },
);
/** The one-click request of a mail program, as a form of either kind; the secret is in the address. */
const oneClickBody = { bodyBytesMax: 16 * 1024, progress: { bytes: 1, withinMs: 15_000 } };

interface PageLink {
  readonly href: string;
  readonly label: string;
}

interface Texts {
  readonly unsubscribe: string;
  readonly unsubscribeText: string;
  readonly ended: string;
  readonly endedText: string;
  readonly deadLink: string;
  readonly deadLinkText: string;
  /** What the reader may want after unsubscribing. */
  readonly next: PageLink;
  /** Where a reader with an old link can go. */
  readonly another: PageLink;
}

/** Mail that a link in it ends. */
export interface EndableMail {
  readonly path: string;
  readonly operations: { readonly show: string; readonly end: string };
  /** Whether the mail of a link goes on; null for an unknown link. */
  readonly isOpen: (secret: string) => Promise<boolean | null>;
  /** Idempotent; false for an unknown link. */
  readonly end: (secret: string) => Promise<boolean>;
  readonly textsOf: (context: PageContext) => Texts;
}

/** The page with a button, because mail scanners follow links, and the one-click request of mail programs (RFC 8058). */
export function unsubscribePages(
  tools: SiteTools,
  { path, operations, isOpen, end, textsOf }: EndableMail,
): readonly RouteDeclaration[] {
  const dead = (context: PageContext, problem: ProblemError): ReaderPage | null =>
    problem.definition === notFound ? deadLinkPage(textsOf(context)) : null;
  return [
    ...defineReaderForm(tools, {
      method: 'GET',
      path,
      operationId: operations.show,
      query: TokenQuery,
      problems: [notFound],
      show: async ({ query: { token = '' } }, context) => {
        const texts = textsOf(context);
        const open = await isOpen(token);
        if (open === null) throw new ProblemError(notFound, 'The link has expired or is incomplete.');
        if (!open) return endedPage(texts);
        const action = `${context.href(path)}?token=${encodeURIComponent(token)}`;
        return {
          title: texts.unsubscribe,
          path: null,
          main: html`<h1>${texts.unsubscribe}</h1>
            <p class="lead">${texts.unsubscribeText}</p>
            !${form({ action, submit: texts.unsubscribe })}`,
        };
      },
      refused: (_input, context, problem) => dead(context, problem),
    }),
    ...defineReaderForm(tools, {
      method: 'POST',
      path,
      operationId: operations.end,
      query: TokenQuery,
      stream: oneClickBody,
      problems: [notFound],
      show: async ({ query: { token = '' } }, context) => {
        if (!(await end(token))) throw new ProblemError(notFound, 'The link has expired or is incomplete.');
        return endedPage(textsOf(context));
      },
      refused: (_input, context, problem) => dead(context, problem),
    }),
  ];
}

export function endedPage({ ended, endedText, next }: Texts): ReaderPage {
  return {
    title: ended,
    path: null,
    main: html`<h1>${ended}</h1>
      !${notice('good', endedText)}
      <p><a href="${next.href}">${next.label}</a></p>`,
  };
}

export function deadLinkPage({ deadLink, deadLinkText, another }: Texts): ReaderPage {
  return {
    title: deadLink,
    path: null,
    main: html`<h1>${deadLink}</h1>
      !${notice('bad', deadLinkText)}
      <p><a href="${another.href}">${another.label}</a></p>`,
  };
}
