import type { Answer } from './http-client.ts';
import { ask } from './http-client.ts';
import type { TestAccount, TestIdentity } from './identity.ts';

export interface FormOptions {
  readonly cookie?: string;
  /** The client's address; by default one in a new address block. */
  readonly from?: string;
  /** Replaces the headers of a browser for a form of the same site. */
  readonly headers?: Readonly<Record<string, string>>;
}

let sent = 0;

/** A browser's form request, without following redirects. */
export function sendForm(
  { app }: Pick<TestIdentity, 'app'>,
  path: string,
  fields: Readonly<Record<string, string>>,
  { cookie, from, headers = { 'sec-fetch-site': 'same-origin' } }: FormOptions = {},
): Promise<Answer> {
  sent += 1;
  return ask(app.port, path, {
    method: 'POST',
    body: new URLSearchParams(fields).toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-forwarded-for': from ?? `172.${16 + ((sent >> 8) & 15)}.${sent & 255}.1`,
      ...(cookie !== undefined && { cookie }),
      ...headers,
    },
  });
}

export function openPage({ app }: Pick<TestIdentity, 'app'>, path: string, cookie?: string): Promise<Answer> {
  return ask(app.port, path, { headers: cookie === undefined ? {} : { cookie } });
}

/** The first cookie of a response, as a browser sends it; empty without one. A sign-in sets the session first. */
export function cookieOf(answer: Answer): string {
  return answer.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
}

/** The cookie of a new sign-in through the form. */
export async function signInForCookie(
  stage: Pick<TestIdentity, 'app'>,
  { email, password }: Pick<TestAccount, 'email' | 'password'>,
): Promise<string> {
  const answer = await sendForm(stage, '/auth/signin', { email, password });
  if (answer.status !== 303) throw new Error(answer.text);
  return cookieOf(answer);
}

/** The device cookie of a sign-in, which a browser sends back with the next one. */
export function deviceCookieOf(answer: Answer): string {
  const cookies = answer.headers['set-cookie'] ?? [];
  return (
    cookies.map((cookie) => cookie.split(';')[0] ?? '').find((cookie) => cookie.includes('-device=')) ?? ''
  );
}
