import { html } from 'ghtml';
import { encodeQR } from 'qr';
import { Type } from 'typebox';

import { closedObject } from '../../../foundation/closed-object.ts';
import { conflict } from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import type { ProblemError } from '../../../foundation/problem.ts';
import { useCases } from '../../../identity/index.ts';
import {
  currentPasswordField,
  form,
  hidden,
  notice,
  oneTimeCodeField,
  problemNotice,
  shownOnce,
} from '../../shell/form-controls.ts';
import { say, sayCount, sayHtml } from '../../shell/words/say.ts';
import type { PersonalPage, PersonalTools } from '../console-route.ts';
import { defineMemberForm, defineMemberPage } from '../console-route.ts';
import type { Visitor } from '../visitor.ts';
import { accountPage } from './account-frame.ts';
import { asWrongPassword } from './password-pages.ts';

const path = '/account/second-factor';

/** Confirms the account's owner again. */
const BothFactors = closedObject({
  currentPassword: Type.Optional(Type.String({ maxLength: 4096 })),
  one_time_code: Type.Optional(Type.String({ maxLength: 64 })),
});
const SetUp = closedObject({
  ...BothFactors.properties,
  setUp: Type.Optional(Type.String({ maxLength: 1024 })),
});

/** One-time codes for sign-in with the password: on, off, and new recovery codes. */
export function secondFactorPages(tools: PersonalTools): readonly RouteDeclaration[] {
  return [
    defineMemberPage(tools, {
      path,
      operationId: 'showSecondFactor',
      show: async ({ visitor }) => secondFactorPage(tools, visitor),
    }),
    turnOnForm(tools),
    bothFactorsForm(tools, {
      path: `${path}/recovery-codes`,
      operationId: 'renewRecoveryCodes',
      change: async (request, visitor) =>
        recoveryCodesPage(visitor, await useCases.renewRecoveryCodes(tools.identity, request)),
    }),
    ...(['on', 'off'] as const).map((state) =>
      bothFactorsForm(tools, {
        path: `${path}/provider-${state}`,
        operationId: state === 'on' ? 'askForCodeAtProvider' : 'askForNoCodeAtProvider',
        change: async (request, visitor) => {
          await useCases.setCodeAtProvider(tools.identity, { ...request, asks: state === 'on' });
          const news = notice(
            'good',
            state === 'on'
              ? say('One-time codes are required after sign-in at the provider. We’ll send you an e-mail.')
              : say(
                  'One-time codes are no longer required after sign-in at the provider. We’ll send you an e-mail.',
                ),
          );
          return secondFactorPage(tools, visitor, { news });
        },
      }),
    ),
    bothFactorsForm(tools, {
      path: `${path}/off`,
      operationId: 'turnOffSecondFactor',
      change: async (request, visitor) => {
        await useCases.turnOffSecondFactor(tools.identity, request);
        const news = notice('good', say('One-time codes are off. We’ll send you an e-mail.'));
        return secondFactorPage(tools, visitor, { news });
      },
    }),
  ];
}

function turnOnForm(tools: PersonalTools): RouteDeclaration {
  const { identity } = tools;
  return defineMemberForm(tools, {
    path,
    operationId: 'turnOnSecondFactor',
    surface: tools.signInForms,
    body: SetUp,
    problems: [...useCases.codedSignInProblems, conflict],
    show: async ({ visitor, body, client }) => {
      const codes = await useCases.turnOnSecondFactor(identity, {
        accountId: visitor.account.id,
        setUp: body.setUp ?? '',
        password: body.currentPassword ?? '',
        code: body.one_time_code ?? '',
        client,
      });
      return recoveryCodesPage(visitor, codes);
    },
    refused: async ({ visitor, body }, problem) =>
      secondFactorPage(tools, visitor, { problem: asWrongPassword(problem), setUp: body.setUp ?? '' }),
  });
}

interface BothFactorsForm {
  readonly path: string;
  readonly operationId: string;
  readonly change: (
    request: Parameters<typeof useCases.turnOffSecondFactor>[1],
    visitor: Visitor,
  ) => Promise<PersonalPage>;
}

function bothFactorsForm(tools: PersonalTools, { change, ...route }: BothFactorsForm): RouteDeclaration {
  return defineMemberForm(tools, {
    ...route,
    surface: tools.signInForms,
    body: BothFactors,
    problems: [...useCases.codedSignInProblems, conflict],
    show: ({ visitor, body, client }) =>
      change(
        {
          accountId: visitor.account.id,
          password: body.currentPassword ?? '',
          code: body.one_time_code ?? '',
          client,
        },
        visitor,
      ),
    refused: async ({ visitor }, problem) =>
      secondFactorPage(tools, visitor, { problem: asWrongPassword(problem) }),
  });
}

interface Shown {
  readonly problem?: ProblemError | null;
  readonly news?: string;
  /** Of a refused form. */
  readonly setUp?: string;
}

async function secondFactorPage(
  tools: PersonalTools,
  visitor: Visitor,
  { problem = null, news = '', setUp = '' }: Shown = {},
): Promise<PersonalPage> {
  const { database } = tools.identity;
  const { id } = visitor.account;
  const main = (await useCases.hasSecondFactor(database, id))
    ? onPart(await useCases.countRecoveryCodes(database, id), await providerPart(tools, visitor), problem)
    : (await useCases.hasPassword(database, id))
      ? offPart(tools, visitor, { setUp, problem })
      : html`<p>
          ${say('Your account has no password. One-time codes apply only to sign-in with a password.')}
        </p>`;
  return accountPage(visitor, '/account/security', {
    title: say('Two-factor authentication'),
    main: html`!${news} !${problemNotice(problem)} !${main}`,
  });
}

function offPart(
  { identity }: PersonalTools,
  { account }: Visitor,
  { setUp, problem }: { readonly setUp: string; readonly problem: ProblemError | null },
): string {
  const { sealed, secret, address } =
    useCases.readSecondFactorSetUp(identity, account, setUp) ?? useCases.beginSecondFactor(identity, account);
  const fields =
    hidden('setUp', sealed) +
    currentPasswordField(problem) +
    oneTimeCodeField(problem, say('The 6-digit code in your authenticator app.'));
  return html`<p>
      ${say('With two-factor authentication, signing in with your password also requires a code from an app on your phone. This protects your account if your password is stolen. API keys and signed-in programs keep working.')}
    </p>
    <h2>${say('Turn on two-factor authentication')}</h2>
    <p>${say('Scan this QR code with an authenticator app, then enter the code from the app.')}</p>
    !${qrPicture(address)}
    <p>
      !${sayHtml('Or open {link} on the device with the app, or enter this secret in the app:', { link: html`<a href="${address}">${say('this link')}</a>` })}
    </p>
    <p><code class="typed">${(secret.match(/.{4}/g) ?? []).join(' ')}</code></p>
    !${form({ action: path, submit: say('Turn on'), fields })}`;
}

/** The button that sets whether sign-in through the provider requires a code; empty without a provider. */
async function providerPart({ identity }: PersonalTools, { account }: Visitor): Promise<string> {
  const { openId, database } = identity;
  if (openId === null) return '';
  const asks = await useCases.requiresCodeAtProvider(database, account.id);
  const { name } = openId;
  const [state, label] = asks
    ? ['off', say('Don’t require codes after sign-in at {name}', { name })]
    : ['on', say('Require codes after sign-in at {name}', { name })];
  return html`<button type="submit" formaction="${path}/provider-${state}">${label}</button>`;
}

function onPart(left: number, provider: string, problem: ProblemError | null): string {
  const fields = currentPasswordField(problem) + oneTimeCodeField(problem);
  const few =
    left === 0
      ? say('No recovery codes are left.')
      : sayCount(left, 'One recovery code is left.', '{count} recovery codes are left.');
  return html`<p>${say('Signing in with your password requires a one-time code.')} ${few}</p>
    <p>
      ${say('If you lose your phone, sign in with a recovery code. This turns one-time codes off. Each of the following actions requires your password and a code.')}
    </p>
    <form method="post" action="${path}/recovery-codes">
      !${fields}
      <div class="row">
        <button type="submit">${say('Generate new recovery codes')}</button>
        !${provider}
        <button type="submit" class="danger" formaction="${path}/off">
          ${say('Turn off one-time codes')}
        </button>
      </div>
    </form>`;
}

function recoveryCodesPage(visitor: Visitor, codes: readonly string[]): PersonalPage {
  return accountPage(visitor, '/account/security', {
    title: say('Your recovery codes'),
    main: html`!${notice('good', say('One-time codes are on. We’ll send you an e-mail.'))}
      <p>
        ${say('If you lose your phone, sign in with one of these codes instead. Each code works once. Earlier recovery codes no longer work.')}
      </p>
      !${shownOnce(say('Recovery codes'), codes.join('\n'), codes.length)}
      <p><a class="button" href="${path}">${say('I have saved these codes')}</a></p>`,
  });
}

/** Black on white in the dark theme too: cameras expect it. */
function qrPicture(text: string): string {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: 4 });
  const marks = rows.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return html`<svg
    class="qr"
    viewBox="0 0 ${rows.length} ${rows.length}"
    role="img"
    aria-label="QR code of the secret, which is also shown as text below"
    shape-rendering="crispEdges"
  >
    <rect width="100%" height="100%" fill="#fff" />
    <path d="${marks.join('')}" fill="#000" />
  </svg>`;
}
