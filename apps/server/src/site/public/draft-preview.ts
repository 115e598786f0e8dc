import type { TSchema } from 'typebox';
import { Type } from 'typebox';

import { notFound } from '../../foundation/http/http-problems.ts';
import type { RouteDeclaration, RouteInput } from '../../foundation/http/route.ts';
import { defineRoute } from '../../foundation/http/route.ts';
import { ProblemError } from '../../foundation/problem.ts';
import { previewMail } from '../../mailing/index.ts';
import { draftBody } from '../../news/editions/index.ts';
import type { DeskDeps } from '../../newsroom/desk/index.ts';
import { drafts } from '../../newsroom/desk/index.ts';
import type { editions } from '../../record/index.ts';
import { publicPaths } from '../../record/index.ts';
import { pageHeaders } from '../shell/page.ts';
import { interfaceLanguages } from '../shell/words/words.ts';
import { editionPage } from './edition-pages.ts';
import type { PageContext } from './page-context.ts';
import { createPageContext } from './page-context.ts';
import { publicPage } from './page-head.ts';
import type { SiteTools } from './public-page.ts';
import { pageSurface } from './public-page.ts';

const TokenParams = Type.Object({ token: Type.String({ pattern: '^[A-Za-z0-9_-]{32}$' }) });
const pageType = 'text/html; charset=utf-8';
/** A mail has its styles in the text, and nothing else. */
const mailHeaders = {
  ...pageHeaders("'none'"),
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
};

interface Form {
  readonly name: string;
  /** After the address of the page. */
  readonly suffix: string;
  readonly contentType: string;
  readonly schema: TSchema;
  readonly headers?: Readonly<Record<string, string>>;
  readonly write: (
    tools: SiteTools,
    context: PageContext,
    edition: editions.RecordedEdition,
    path: string,
  ) => Promise<string> | string;
}

const mailOf = (tools: SiteTools, { language }: PageContext, edition: editions.RecordedEdition) =>
  previewMail({ baseUrl: tools.baseUrl, language: tools.language }, language, edition);

const forms: readonly Form[] = [
  {
    name: 'Page',
    suffix: '',
    contentType: pageType,
    schema: Type.String(),
    write: async (_tools, context, edition, path) => {
      const { image: _, ...page } = await editionPage(edition, context);
      return publicPage({ ...page, path, isUnlisted: true }, context);
    },
  },
  {
    name: 'Body',
    suffix: '/report.json',
    contentType: 'application/json; charset=utf-8',
    schema: Type.Object({ schemaVersion: Type.Integer(), report: Type.Unknown() }),
    write: ({ baseUrl, storyLayer }, { language }, edition) =>
      draftBody(edition, language, { baseUrl, storyLayer }),
  },
  {
    name: 'Mail',
    suffix: '/mail.html',
    contentType: pageType,
    schema: Type.String(),
    headers: mailHeaders,
    write: (tools, context, edition) => mailOf(tools, context, edition).html ?? '',
  },
  {
    name: 'MailText',
    suffix: '/mail.txt',
    contentType: 'text/plain; charset=utf-8',
    schema: Type.String(),
    write: (tools, context, edition) => {
      const { subject, text } = mailOf(tools, context, edition);
      return `${subject}\n\n${text}`;
    },
  },
];

/**
 * The draft of a report at a private address, in each language: its page, its mail and the body of the API, made by the
 * code that makes the published ones. Never cached and never indexed.
 */
export function draftPreviews(tools: SiteTools, desk: DeskDeps): readonly RouteDeclaration[] {
  return interfaceLanguages.flatMap((language) => {
    const context = createPageContext(tools, language);
    return forms.map((form) =>
      defineRoute<typeof TokenParams>({
        method: 'GET',
        path: context.canonicalHref(`/drafts/{token}${form.suffix}`),
        surface: pageSurface(tools, language),
        operationId: `previewDraft${form.name}${language === tools.language ? '' : `_${language}`}`,
        summary: 'A page.',
        tag: 'site',
        params: TokenParams,
        responses: {
          200: { description: 'The draft.', schema: form.schema, contentType: form.contentType },
          303: { description: 'The draft is closed.' },
        },
        problems: [notFound],
        handle: (input) => sendPreview(tools, desk, { context, form }, input),
      }),
    );
  });
}

async function sendPreview(
  tools: SiteTools,
  desk: DeskDeps,
  { context, form }: { readonly context: PageContext; readonly form: Form },
  { params: { token }, reply }: RouteInput<typeof TokenParams, undefined, undefined>,
): Promise<unknown> {
  const found = await drafts.readPreviewedDraft(desk, token);
  if (found === null) throw new ProblemError(notFound, 'Preview not found. It may have expired.');
  reply.headers({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' });
  if (found.state === 'closed')
    return reply
      .code(303)
      .header('location', context.href(publicPaths.editionPath(found.key)))
      .send();
  const body = await form.write(tools, context, found.edition, `/drafts/${token}`);
  return reply
    .code(200)
    .headers(form.headers ?? pageHeaders("'self'"))
    .header('content-type', form.contentType)
    .send(body);
}
