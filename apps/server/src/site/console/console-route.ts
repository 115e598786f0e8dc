import type { FastifyRequest } from 'fastify';
import { html } from 'ghtml';
import type { TObject } from 'typebox';
import { Type } from 'typebox';

import { organizationSecondFactorRequired } from '../../access/index.ts';
import { closedObject } from '../../foundation/closed-object.ts';
import { internal } from '../../foundation/http/http-problems.ts';
import type { ProblemResponse } from '../../foundation/http/problem-response.ts';
import { statusOfKind } from '../../foundation/http/problem-response.ts';
import { requestFault } from '../../foundation/http/route-registration.ts';
import type { RouteDeclaration, RouteInput } from '../../foundation/http/route.ts';
import { defineRoute } from '../../foundation/http/route.ts';
import type { Surface } from '../../foundation/http/surface.ts';
import { idForm } from '../../foundation/ids.ts';
import type { ProblemDefinition } from '../../foundation/problem.ts';
import { ProblemError } from '../../foundation/problem.ts';
import type { Identity } from '../../identity/index.ts';
import { credentials, useCases } from '../../identity/index.ts';
import { problemNotice } from '../shell/form-controls.ts';
import { pageHeaders } from '../shell/page.ts';
import { inLanguage, pageLanguage, say, sayHtml, sayKnown } from '../shell/words/say.ts';
import { crossSiteRequest, refuseCrossSite } from './cross-site.ts';
import type { ConsolePlace, DoorPage } from './frame/console-frame.ts';
import { consolePage, doorPage } from './frame/console-frame.ts';
import type { Visitor } from './visitor.ts';
import { languageOf, visitorOf } from './visitor.ts';

/** The result of a page handler: a page, or a redirect. */
export type Shown = PersonalPage | Redirect;

export interface PersonalPage extends DoorPage {
  /** Its position in the console; absent for pages outside of it, such as sign-in. */
  readonly place?: ConsolePlace;
  /** Why this page is shown instead of the requested one. */
  readonly problem?: ProblemError;
  /** Other origins that a form of the page may end at: browsers apply the policy to redirects too. */
  readonly formTargets?: readonly string[];
  /** Other origins of pictures, sounds and videos of the page. */
  readonly pictureSources?: readonly string[];
}

export interface Redirect {
  readonly to: string;
}

export interface PersonalTools {
  readonly identity: Identity;

  readonly pages: Surface;

  readonly forms: Surface;
  /** Forms with a password, in one window with the token endpoints. */
  readonly signInForms: Surface;
  /** Forms that send mail or use a mailed link. */
  readonly mailForms: Surface;
}

export function createPersonalTools(identity: Identity, anonymous: Surface): PersonalTools {
  const { authUrl, baseUrl } = identity;
  const presentProblem: Surface['presentProblem'] = (error, problem, request) =>
    inLanguage(languageOf(identity, request), () => problemPage(error, problem));
  const sameOrigin = refuseCrossSite(new Set([new URL(authUrl).origin, new URL(baseUrl).origin]));
  const pages: Surface = {
    ...anonymous,
    name: 'pages',
    cors: null,
    presentProblem,
    problems: [...anonymous.problems, organizationSecondFactorRequired],
  };
  const asForms = (surface: Surface, name: string): Surface => ({
    ...surface,
    name,
    cors: null,
    presentProblem,
    authenticate: sameOrigin,
    problems: [...surface.problems, crossSiteRequest, organizationSecondFactorRequired],
  });
  return {
    identity,
    pages,
    forms: asForms(anonymous, 'forms'),
    signInForms: asForms(identity.signInSurface, 'sign-in'),
    mailForms: asForms(identity.mailSurface, 'mail'),
  };
}

type Input<Params, Query, Body, Who> = RouteInput<Params, Query, Body> & {
  readonly visitor: Who;
  readonly client: credentials.Client;
};

interface PersonalRoute<Params, Query, Body, Who = Visitor | null> {
  readonly path: string;
  readonly operationId: string;
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  readonly surface?: Surface;
  /** Of a form with a file. */
  readonly bodyFormat?: 'multipart';
  /** Of a form with long texts; 64 KiB otherwise. */
  readonly bodyBytesMax?: number;
  readonly problems?: readonly ProblemDefinition[];
  readonly show: (input: Input<Params, Query, Body, Who>) => Promise<Shown>;
  /** Shows a form again with its errors. Without it a problem gets an error page. */
  readonly refused?: (input: Input<Params, Query, Body, Who>, problem: ProblemError) => Promise<PersonalPage>;
}

export const IdParams = Type.Object({ id: Type.String({ pattern: idForm.source }) });

const responses = {
  200: { description: 'The page.', schema: Type.String(), contentType: 'text/html; charset=utf-8' },
  303: { description: 'Go on there.' },
};
const formBytesMax = 64 * 1024;

/** A personal page: never cached, never framed. */
export function definePersonalPage<
  Params extends TObject | undefined = undefined,
  Query extends TObject | undefined = undefined,
>(tools: PersonalTools, route: PersonalRoute<Params, Query, undefined>): RouteDeclaration {
  return declare(tools, 'GET', { surface: tools.pages, ...route });
}

/** The target of a page's form. */
export function defineForm<
  Params extends TObject | undefined = undefined,
  Query extends TObject | undefined = undefined,
  Body extends TObject | undefined = undefined,
>(tools: PersonalTools, route: PersonalRoute<Params, Query, Body>): RouteDeclaration {
  return declare(tools, 'POST', { surface: tools.forms, body: emptyForm as Body, ...route });
}

const emptyForm = closedObject({});

/** A page that requires a session; other visitors are redirected to sign-in and back. */
export function defineMemberPage<
  Params extends TObject | undefined = undefined,
  Query extends TObject | undefined = undefined,
>(tools: PersonalTools, route: PersonalRoute<Params, Query, undefined, Visitor>): RouteDeclaration {
  return definePersonalPage(tools, forMembers(route));
}

export function defineMemberForm<
  Params extends TObject | undefined = undefined,
  Query extends TObject | undefined = undefined,
  Body extends TObject | undefined = undefined,
>(tools: PersonalTools, route: PersonalRoute<Params, Query, Body, Visitor>): RouteDeclaration {
  return defineForm(tools, forMembers(route));
}

/** The sign-in page for visitors without a session; a GET returns to its page afterwards. */
export function signInPath({ method, url }: FastifyRequest): string {
  return `/auth/signin${method === 'GET' ? `?return=${encodeURIComponent(url)}` : ''}`;
}

function forMembers<Params, Query, Body>({
  show,
  refused,
  ...route
}: PersonalRoute<Params, Query, Body, Visitor>): PersonalRoute<Params, Query, Body> {
  return {
    ...route,
    show: async (input) => {
      const { visitor, request } = input;
      if (visitor !== null) return show({ ...input, visitor });
      return { to: signInPath(request) };
    },
    ...(refused !== undefined && {
      refused: async (input, problem) => {
        const { visitor } = input;
        if (visitor === null) throw problem;
        return refused({ ...input, visitor }, problem);
      },
    }),
  };
}

function declare<
  Params extends TObject | undefined,
  Query extends TObject | undefined,
  Body extends TObject | undefined,
>(
  { identity }: PersonalTools,
  method: 'GET' | 'POST',
  {
    show,
    refused,
    problems = [],
    ...declared
  }: PersonalRoute<Params, Query, Body> & { readonly surface: Surface },
): RouteDeclaration {
  return defineRoute<Params, Query, Body>({
    ...declared,
    method,
    summary: 'A page.',
    tag: 'pages',
    ...(method === 'POST'
      ? {
          bodyFormat: declared.bodyFormat ?? ('form' as const),
          bodyBytesMax: declared.bodyBytesMax ?? formBytesMax,
        }
      : {}),
    ...(refused !== undefined && { handlesFaults: true }),
    responses,
    problems: [...problems, internal],
    handle: async (route) => {
      const visitor = await visitorOf(identity, route.request);
      const input = { ...route, visitor, client: credentials.clientOf(route.request) };
      return inLanguage(languageOf(identity, route.request), async () => {
        const shown = await showOrRefuse(input, show, refused);
        if ('to' in shown) return redirect(route, shown);
        return send(route, shown, await renderedPage(identity, shown, visitor));
      });
    },
  });
}

async function showOrRefuse<Params, Query, Body>(
  input: Input<Params, Query, Body, Visitor | null>,
  show: PersonalRoute<Params, Query, Body>['show'],
  refused: PersonalRoute<Params, Query, Body>['refused'],
): Promise<Shown> {
  try {
    const fault = requestFault(input.request);
    if (fault !== null) throw fault;
    return await show(input);
  } catch (error) {
    if (refused === undefined || !(error instanceof ProblemError) || !isOfForm(error)) throw error;
    return { ...(await refused(input, error)), problem: error };
  }
}

/** An invalid address is not an error of the form. */
function isOfForm({ errors = [] }: ProblemError): boolean {
  return errors.every((error) => error.in === 'body');
}

type Reply = Pick<RouteInput<undefined, undefined, undefined>, 'reply'>;

function redirect({ reply }: Reply, { to }: Redirect): unknown {
  return reply.code(303).headers({ 'cache-control': 'no-store', location: to }).send();
}

function send({ reply }: Reply, shown: PersonalPage, rendered: string): unknown {
  reply.header('cache-control', 'no-store');
  const { problem } = shown;
  if (problem?.retryAfterSeconds !== undefined)
    reply.header('retry-after', String(Math.ceil(problem.retryAfterSeconds)));
  return reply
    .code(problem === undefined ? 200 : statusOfKind[problem.definition.kind])
    .headers(pageHeaders(withOwn(shown.formTargets), withOwn(shown.pictureSources)))
    .header('content-type', 'text/html; charset=utf-8')
    .send(rendered);
}

async function renderedPage(
  { database }: Identity,
  { title, main, place }: PersonalPage,
  visitor: Visitor | null,
): Promise<string> {
  if (visitor === null || place === undefined) return doorPage({ title, main }, pageLanguage());
  const pictureId = await useCases.findPictureId(database, visitor.account.id);
  return consolePage({ title, main, place }, visitor, pictureId);
}

function withOwn(origins: readonly string[] = []): string {
  return ["'self'", ...origins].join(' ');
}

/** Where a member refused by an organization sets up the required second factor. */
const secondFactorLinks = () =>
  html`<ul>
    <li><a href="/account/second-factor">${say('Turn on one-time codes')}</a></li>
    <li><a href="/account/passkeys">${say('Add a passkey and remove your password')}</a></li>
  </ul>`;

function problemPage(error: ProblemError, problem: ProblemResponse): ProblemResponse {
  const main = html`<h1>${say('Something went wrong')}</h1>
    !${problemNotice(error)}
    !${error.definition === organizationSecondFactorRequired ? secondFactorLinks() : ''}
    <p>
      !${sayHtml('Go back and try again, or go to your {link}. If you contact support, include the request ID {code}.', { link: html`<a href="/account">${say('account')}</a>`, code: html`<code>${String(problem.headers['x-request-id'])}</code>` })}
    </p>`;
  return {
    ...problem,
    headers: { ...problem.headers, ...pageHeaders("'self'"), 'content-type': 'text/html; charset=utf-8' },
    body: Buffer.from(doorPage({ title: sayKnown(error.definition.title), main }, pageLanguage())),
  };
}
