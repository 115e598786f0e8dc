import { html } from 'ghtml';
import { Type } from 'typebox';

import { closedObject } from '../../../foundation/closed-object.ts';
import type { RouteDeclaration, RouteInput } from '../../../foundation/http/route.ts';
import type { ProblemError } from '../../../foundation/problem.ts';
import { useCases } from '../../../identity/index.ts';
import { scripts } from '../../shell/assets.ts';
import { hidden, problemNotice } from '../../shell/form-controls.ts';
import { say } from '../../shell/words/say.ts';
import type { PersonalPage, PersonalTools } from '../console-route.ts';
import { defineForm, definePersonalPage } from '../console-route.ts';
import { admitVisitor, deviceOf, readCookie, setCookie } from '../visitor.ts';
import { SignInQuery, signInAddress, waitingProgram } from './sign-in-request.ts';

export const passkeyPath = '/auth/passkey';
const cookie = { name: 'passkey-challenge', seconds: useCases.passkeyChallengeMs / 1000 };

/** An answer can exceed the usual form size: a device may attest with certificates. */
export const deviceResponse = Type.Optional(Type.String({ maxLength: 16_384 }));
const Answer = closedObject({ response: deviceResponse });

type Reply = RouteInput<undefined, undefined, undefined>['reply'];
type Request = RouteInput<undefined, undefined, undefined>['request'];

/** Binds the challenge of a page to this browser; a newer one replaces it. */
export function keepChallenge({ identity }: PersonalTools, reply: Reply, sealed: string): void {
  setCookie(reply, identity.authUrl, { ...cookie, value: sealed });
}

export function storedChallenge({ identity }: PersonalTools, request: Request): string {
  return readCookie(request, identity.authUrl, cookie.name) ?? '';
}

export interface PasskeyForm {
  readonly action: string;
  readonly submit: string;
  /** Whether the device creates a key or uses one. */
  readonly passkey: 'create' | 'get';
  /** As JSON. */
  readonly options: string;
  readonly fields?: string;
}

/** Messages of the script. */
export const passkeyTexts = (): string =>
  JSON.stringify({
    unsupported: say('This browser does not support passkeys.'),
    known: say('This device already has a passkey for your account.'),
    failed: say('The passkey request failed or was cancelled. Try again.'),
  });

/** The script queries the device between the button and the form, which cannot be sent before the script runs. */
export function passkeyForm({ action, submit, passkey, options, fields = '' }: PasskeyForm): string {
  return html`<form
      method="post"
      action="${action}"
      data-passkey="${passkey}"
      data-options="${options}"
      data-texts="${passkeyTexts()}"
    >
      !${fields} !${hidden('response', '')}
      <p class="fault" role="alert" data-fault hidden></p>
      <noscript
        ><p class="fault">${say('Passkeys require JavaScript. Turn it on in your browser.')}</p></noscript
      >
      <button type="submit" disabled>${submit}</button>
    </form>
    <script src="${scripts.passkey.path}" defer></script>`;
}

/** Sign-in without a password: the device identifies the account. */
export function passkeySignInPages(tools: PersonalTools): readonly RouteDeclaration[] {
  const { identity } = tools;
  return [
    definePersonalPage(tools, {
      path: passkeyPath,
      operationId: 'showPasskeySignIn',
      query: SignInQuery,
      show: async ({ query, reply }) => {
        waitingProgram(query);
        return signInPage(tools, query, reply);
      },
    }),
    defineForm(tools, {
      path: passkeyPath,
      operationId: 'signInWithPasskey',
      surface: tools.signInForms,
      query: SignInQuery,
      body: Answer,
      problems: [useCases.invalidPasskey],
      show: async ({ query, body, request, client, reply }) => {
        const session = await useCases.signInWithPasskey(identity, {
          challenge: storedChallenge(tools, request),
          response: body.response ?? '',
          client,
          device: deviceOf(identity, request),
        });
        await admitVisitor(identity, request, reply, session);
        return { to: signInAddress('/auth/signin', query) };
      },
      refused: async ({ query, reply }, problem) => signInPage(tools, query, reply, problem),
    }),
  ];
}

async function signInPage(
  tools: PersonalTools,
  query: SignInQuery,
  reply: Reply,
  problem: ProblemError | null = null,
): Promise<PersonalPage> {
  const { sealed, options } = await useCases.beginPasskeySignIn(tools.identity);
  keepChallenge(tools, reply, sealed);
  const action = signInAddress(passkeyPath, query);
  return {
    title: say('Sign in with a passkey'),
    main: html`<h1>${say('Sign in with a passkey')}</h1>
      !${problemNotice(problem)}
      <p class="lead">${say('Your device asks for your fingerprint, face or PIN.')}</p>
      !${passkeyForm({ action, submit: say('Use a passkey'), passkey: 'get', options })}
      <p class="aside">
        <a href="${signInAddress('/auth/signin', query)}">${say('Sign in with your password')}</a>
      </p>`,
  };
}
