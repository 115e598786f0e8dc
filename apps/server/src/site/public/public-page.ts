import { Type } from 'typebox';
import type { TObject } from 'typebox';

import type { RepresentationCache, Resource } from '../../foundation/cache/representation-cache.ts';
import { sendResource } from '../../foundation/cache/representation-reply.ts';
import type { BuiltBody } from '../../foundation/cache/representation.ts';
import type { Clock } from '../../foundation/clock.ts';
import type { RouteDeclaration, RouteInput } from '../../foundation/http/route.ts';
import { defineRoute } from '../../foundation/http/route.ts';
import type { Surface } from '../../foundation/http/surface.ts';
import type { ProblemDefinition } from '../../foundation/problem.ts';
import type { Freshness } from '../../news/index.ts';
import { cacheControlOf, isByTarget } from '../../news/index.ts';
import type { RecordReader } from '../../record/index.ts';
import { framedDocument } from '../shell/frame.ts';
import { framedHeaders, pageHeaders } from '../shell/page.ts';
import type { InterfaceLanguage } from '../shell/words/words.ts';
import { interfaceLanguages } from '../shell/words/words.ts';
import { clipped, titleCharsMax } from './clipped.ts';
import type { PageContext } from './page-context.ts';
import { createPageContext } from './page-context.ts';
import type { PublicPage } from './page-head.ts';
import { publicPage } from './page-head.ts';
import { problemPresenter } from './problem-page.ts';

export interface SiteTools {
  readonly anonymous: Surface;
  readonly cache: RepresentationCache;
  readonly record: RecordReader;
  readonly clock: Clock;
  readonly baseUrl: string;
  readonly storyLayer: boolean;
  /** Of pages without a prefix in their address. */
  readonly language: InterfaceLanguage;
  /** Whether editions can be subscribed to by mail. */
  readonly offersMail?: boolean;
  /** Whether readers can report errors by mail. */
  readonly takesErrorReports?: boolean;
  /** Whether searches can be saved: the installation has accounts. */
  readonly savesSearches?: boolean;
  /** URI for vulnerability reports. */
  readonly securityContact?: string | null;
}

/** A permanent redirect, to a path without the language prefix. */
export interface Moved {
  readonly movedTo: string;
}

/** A page that other sites show in a frame. */
export interface FramedPage {
  readonly framed: Pick<PublicPage, 'title' | 'main'>;
}

export interface PageResource extends Omit<Resource, 'build'> {
  readonly build: () => Promise<PublicPage | FramedPage | Moved>;
}

interface PublicRoute<Params, Query> {
  readonly path: string;
  readonly operationId: string;
  readonly params?: Params;
  /** Undeclared parameters are ignored: shared links often have tracking parameters. */
  readonly query?: Query;
  readonly problems?: readonly ProblemDefinition[];
  /** The same as for the matching resource of the API. */
  readonly freshness: Freshness;
  /** Validates `input` before the page is built; the key contains everything the page depends on. */
  readonly resource: (input: RouteInput<Params, Query, undefined>, context: PageContext) => PageResource;
}

const contentType = 'text/html; charset=utf-8';
const headers = pageHeaders("'self'");
/** Every page can show all languages together. */
const languageChoice = { language: Type.Optional(Type.Enum(['all'])) };

/** A public page, in both languages: the same bytes for all, cached like a response of the news API. */
export function definePublicPage<
  Params extends TObject | undefined = undefined,
  Query extends TObject | undefined = undefined,
>(tools: SiteTools, declared: PublicRoute<Params, Query>): readonly RouteDeclaration[] {
  return interfaceLanguages.map((language) => {
    const contexts = {
      own: createPageContext(tools, language),
      mixed: createPageContext(tools, language, { mixesLanguages: true }),
    };
    const surface = pageSurface(tools, language);
    const cacheControl = cacheControlOf(declared.freshness);
    const suffix = language === tools.language ? '' : `_${language}`;
    return defineRoute<Params, Query>({
      method: 'GET',
      isShared: true,
      path: contexts.own.href(declared.path),
      surface,
      operationId: `${declared.operationId}${suffix}`,
      summary: 'A page.',
      tag: 'site',
      ...(declared.params === undefined ? {} : { params: declared.params }),
      query: Type.Object(
        { ...languageChoice, ...declared.query?.properties },
        { additionalProperties: true },
      ) as unknown as Query,
      responses: {
        200: { description: 'The page.', schema: Type.String(), contentType },
        304: { description: 'Unchanged.' },
        308: { description: 'Moved permanently; follow Location.' },
      },
      problems: declared.problems ?? [],
      handle: (input) => {
        const { language: chosen } = input.query as { readonly language?: unknown };
        const context = chosen === 'all' ? contexts.mixed : contexts.own;
        const { key, build, ...tags } = declared.resource(input, context);
        const resource: Resource = {
          key: `page ${language}${context.mixesLanguages ? ' all' : ''} ${key}`,
          ...tags,
          build: async () => presented(await build(), context),
          byTarget: isByTarget(input),
        };
        return sendResource(input.request, input.reply, tools.cache, resource, cacheControl);
      },
    });
  });
}

/** For pages: no cross-origin access, and problems as pages. */
export function pageSurface(tools: SiteTools, language: InterfaceLanguage): Surface {
  return {
    ...tools.anonymous,
    name: 'pages',
    cors: null,
    presentProblem: problemPresenter(createPageContext(tools, language)),
  };
}

/** The page of an address that does not exist, in the language its first segment names. */
export function unknownPageSurface(tools: SiteTools): (path: string) => Surface {
  const surfaces = new Map(interfaceLanguages.map((language) => [language, pageSurface(tools, language)]));
  const own = pageSurface(tools, tools.language);
  return (path) => surfaces.get(path.split('/', 2)[1] as InterfaceLanguage) ?? own;
}

function presented(page: PublicPage | FramedPage | Moved, context: PageContext): BuiltBody {
  if ('movedTo' in page)
    return { status: 308, contentType, body: '', headers: { location: context.href(page.movedTo) } };
  if ('framed' in page) {
    const title = clipped(page.framed.title, titleCharsMax);
    const body = framedDocument({ ...page.framed, title, language: context.language });
    return { status: 200, contentType, body, headers: framedHeaders };
  }
  return { status: 200, contentType, body: publicPage(page, context), headers };
}
