import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { dayMs } from '../../foundation/clock.ts';
import type { Identity, accounts } from '../../identity/index.ts';
import { credentials, useCases } from '../../identity/index.ts';
import type { InterfaceLanguage } from '../shell/words/words.ts';

export interface Visitor {
  readonly sessionId: NonNullable<Awaited<ReturnType<typeof useCases.readBrowserSession>>>['sessionId'];
  readonly account: accounts.Account;
  readonly language: InterfaceLanguage;
}

const sessionSeconds = (30 * dayMs) / 1000;
const deviceSeconds = useCases.knownSourceMs / 1000;

export interface CookieOptions {
  readonly name: string;
  readonly value: string;
  readonly seconds: number;
}

/** With HTTPS the name (`__Host-`) prevents other hosts from setting the cookie; plain HTTP is for development. */
function cookieName(authUrl: string, name: string): string {
  return authUrl.startsWith('https:') ? `__Host-daybook-${name}` : `daybook-${name}`;
}

/** Lax, not Strict: visitors who return from an identity provider or a mailed link are still signed in. */
export function setCookie(
  reply: FastifyReply,
  authUrl: string,
  { name, value, seconds }: CookieOptions,
): void {
  const cookie = stringifySetCookie({
    name: cookieName(authUrl, name),
    value,
    path: '/',
    httpOnly: true,
    secure: authUrl.startsWith('https:'),
    sameSite: 'lax',
    maxAge: seconds,
  });
  reply.header('set-cookie', cookie);
}

export function readCookie(request: FastifyRequest, authUrl: string, name: string): string | null {
  const { cookie } = request.headers;
  return cookie === undefined ? null : (parseCookie(cookie)[cookieName(authUrl, name)] ?? null);
}

/** The signed-in account of this browser. */
export async function visitorOf(identity: Identity, request: FastifyRequest): Promise<Visitor | null> {
  const secret = readCookie(request, identity.authUrl, 'session');
  const session = secret === null ? null : await useCases.readBrowserSession(identity, secret);
  if (session === null) return null;
  return { ...session, language: languageOf(identity, request) };
}

/** The language that the person chose in this browser, otherwise the first one of the browser that the pages have. */
export function languageOf({ authUrl }: Identity, request: FastifyRequest): InterfaceLanguage {
  const chosen = readCookie(request, authUrl, languageCookie.name);
  if (chosen === 'zh' || chosen === 'en') return chosen;
  const wanted = (request.headers['accept-language'] ?? '').split(',').map((one) => one.trim().slice(0, 2));
  return wanted.find((one) => one === 'zh' || one === 'en') ?? 'en';
}

/** The language that a person chose for the console, in this browser. */
export const languageCookie = { name: 'language', seconds: (365 * dayMs) / 1000 };

/** The cookie that gives sign-ins from this browser their own counter of failed attempts. */
export function deviceOf({ authUrl }: Identity, request: FastifyRequest): string | null {
  return readCookie(request, authUrl, 'device');
}

/** Starts the new session; the previous one of this browser ends. */
export async function admitVisitor(
  identity: Identity,
  request: FastifyRequest,
  reply: FastifyReply,
  { secret, device }: { readonly secret: string; readonly device: string },
): Promise<void> {
  await endVisit(identity, request);
  setCookie(reply, identity.authUrl, { name: 'session', value: secret, seconds: sessionSeconds });
  setCookie(reply, identity.authUrl, { name: 'device', value: device, seconds: deviceSeconds });
}

/** Signs this browser out. */
export async function dismissVisitor(
  identity: Identity,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  await endVisit(identity, request);
  setCookie(reply, identity.authUrl, { name: 'session', value: '', seconds: 0 });
}

async function endVisit(identity: Identity, request: FastifyRequest): Promise<void> {
  const visitor = await visitorOf(identity, request);
  if (visitor === null) return;
  await useCases.revokeOwnSession(identity, {
    accountId: visitor.account.id,
    sessionId: visitor.sessionId,
    client: credentials.clientOf(request),
    reason: 'signed_out',
  });
}
