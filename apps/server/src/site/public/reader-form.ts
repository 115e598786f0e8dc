import { Type } from 'typebox';
import type { TObject } from 'typebox';

import { internal } from '../../foundation/http/http-problems.ts';
import { statusOfKind } from '../../foundation/http/problem-response.ts';
import { requestFault } from '../../foundation/http/route-registration.ts';
import type { RouteDeclaration, RouteInput, StreamBounds } from '../../foundation/http/route.ts';
import { defineRoute } from '../../foundation/http/route.ts';
import type { Surface } from '../../foundation/http/surface.ts';
import type { ProblemDefinition } from '../../foundation/problem.ts';
import { ProblemError } from '../../foundation/problem.ts';
import { crossSiteRequest, refuseCrossSite } from '../console/cross-site.ts';
import { layout } from '../shell/frame.ts';
import { pageHeaders } from '../shell/page.ts';
import { interfaceLanguages } from '../shell/words/words.ts';
import type { PageContext } from './page-context.ts';
import { createPageContext } from './page-context.ts';
import { problemPresenter } from './problem-page.ts';
import type { SiteTools } from './public-page.ts';

/** The result of a reader form. */
export interface ReaderPage {
  readonly title: string;
  /** HTML, escaped already. */
  readonly main: string;
  /** Without the language prefix; null where the page has no translation. */
  readonly path: string | null;
}

interface ReaderRoute<Query, Body> {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly operationId: string;
  readonly query?: Query;
  readonly body?: Body;
  /** A body of any type, which is ignored. */
  readonly stream?: StreamBounds;
  /** Its own limits; by default those of the anonymous surface. */
  readonly limits?: Surface;
  /** Refuses cross-site submissions. Not for requests authorized by a secret in the address. */
  readonly fromOwnPage?: boolean;
  readonly problems?: readonly ProblemDefinition[];
  readonly show: (input: RouteInput<undefined, Query, Body>, context: PageContext) => Promise<ReaderPage>;
  /** Shows the form again with its errors; without it, and for other problems, the problem is a page. */
  readonly refused?: (
    input: RouteInput<undefined, Query, Body>,
    context: PageContext,
    problem: ProblemError,
  ) => ReaderPage | null;
}

const formBytesMax = 64 * 1024;
const contentType = 'text/html; charset=utf-8';

/** A form or mailed link for visitors without an account, in both languages; never cached. */
export function defineReaderForm<
  Query extends TObject | undefined = undefined,
  Body extends TObject | undefined = undefined,
>(tools: SiteTools, declared: ReaderRoute<Query, Body>): readonly RouteDeclaration[] {
  return interfaceLanguages.map((language) => {
    const context = createPageContext(tools, language);
    const { method, show, refused, problems = [] } = declared;
    return defineRoute<undefined, Query, Body>({
      method,
      path: context.href(declared.path),
      surface: surfaceOf(tools, declared, context),
      operationId: `${declared.operationId}${language === tools.language ? '' : `_${language}`}`,
      summary: 'A page.',
      tag: 'site',
      ...(declared.query === undefined ? {} : { query: declared.query }),
      ...(declared.body === undefined
        ? {}
        : { body: declared.body, bodyFormat: 'form' as const, bodyBytesMax: formBytesMax }),
      ...(declared.stream === undefined ? {} : { stream: declared.stream }),
      handlesFaults: refused !== undefined,
      responses: { 200: { description: 'The page.', schema: Type.String(), contentType } },
      problems: [...problems, internal],
      handle: async (input) => {
        try {
          const fault = requestFault(input.request);
          if (fault !== null) throw fault;
          return send(input, await show(input, context), context);
        } catch (error) {
          const page = error instanceof ProblemError ? refused?.(input, context, error) : null;
          if (page === null || page === undefined || !(error instanceof ProblemError)) throw error;
          return send(input, page, context, statusOfKind[error.definition.kind]);
        }
      },
    });
  });
}

function surfaceOf(
  tools: SiteTools,
  { limits, fromOwnPage = false }: Pick<ReaderRoute<undefined, undefined>, 'limits' | 'fromOwnPage'>,
  context: PageContext,
): Surface {
  const surface = limits ?? tools.anonymous;
  const sameOrigin = refuseCrossSite(new Set([new URL(tools.baseUrl).origin]));
  return {
    ...surface,
    name: 'reader-forms',
    cors: null,
    presentProblem: problemPresenter(context),
    ...(fromOwnPage ? { authenticate: sameOrigin, problems: [...surface.problems, crossSiteRequest] } : {}),
  };
}

function send(
  { reply }: Pick<RouteInput<undefined, undefined, undefined>, 'reply'>,
  page: ReaderPage,
  { language, href, offersMail }: PageContext,
  status = 200,
): unknown {
  return reply
    .code(status)
    .headers(pageHeaders("'self'"))
    .header('cache-control', 'no-store')
    .header('content-type', contentType)
    .send(
      layout({
        ...page,
        language,
        href,
        offersMail,
        width: 'column',
        head: '<meta name="robots" content="noindex" />',
      }),
    );
}
