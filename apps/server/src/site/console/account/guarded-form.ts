import { html } from 'ghtml';
import type { Static } from 'typebox';
import { Type } from 'typebox';

import { closedObject } from '../../../foundation/closed-object.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import type { ProblemError } from '../../../foundation/problem.ts';
import { useCases } from '../../../identity/index.ts';
import { scripts } from '../../shell/assets.ts';
import type { FormOptions } from '../../shell/form-controls.ts';
import {
  currentPasswordField,
  field,
  form,
  hidden,
  instant,
  oneTimeCodeField,
} from '../../shell/form-controls.ts';
import { say, sayHtml } from '../../shell/words/say.ts';
import type { PersonalTools } from '../console-route.ts';
import { defineMemberForm } from '../console-route.ts';
import { deviceResponse, passkeyTexts } from '../sign-in/passkey-sign-in-pages.ts';
import { returnAddress } from '../sign-in/sign-in-request.ts';
import type { Visitor } from '../visitor.ts';

type GuardedAction = keyof typeof useCases.guardedActions;

/** The fields that a guarded form adds to its own. */
export const proofFields = {
  currentPassword: Type.Optional(Type.String({ maxLength: 4096 })),
  one_time_code: Type.Optional(Type.String({ maxLength: 64 })),
  mailed_code: Type.Optional(Type.String({ maxLength: 64 })),
  passkey_challenge: Type.Optional(Type.String({ maxLength: 1_024 })),
  passkey_response: deviceResponse,
};
export const ProofForm = closedObject(proofFields);

/** The account that confirms, and its credentials. */
export function proofOf({ account, sessionId }: Visitor, body: Static<typeof ProofForm>) {
  return {
    accountId: account.id,
    sessionId,
    proof: {
      password: body.currentPassword ?? '',
      code: body.one_time_code ?? '',
      mailedCode: body.mailed_code ?? '',
      passkey: { challenge: body.passkey_challenge ?? '', response: body.passkey_response ?? '' },
    },
  };
}

interface GuardedForm extends Omit<FormOptions, 'multipart' | 'small'> {
  readonly guards: GuardedAction;
  /** The page of the form; a request for a code returns there. */
  readonly page: string;
  readonly problem: ProblemError | null;
}

/**
 * A form that confirms the owner: the password, and a one-time code with a second factor; without a password, a
 * code by e-mail. A passkey replaces either.
 */
export async function guardedForm(
  { identity }: Pick<PersonalTools, 'identity'>,
  visitor: Visitor,
  { guards: action, page, fields = '', problem, ...rest }: GuardedForm,
): Promise<string> {
  const request = { accountId: visitor.account.id, sessionId: visitor.sessionId, action };
  const withPassword = await useCases.hasPassword(identity.database, request.accountId);
  const withCode = withPassword && (await useCases.hasSecondFactor(identity.database, request.accountId));
  const question = await useCases.beginPasskeyProof(identity, request);
  const asked = withPassword
    ? currentPasswordField(problem) + (withCode ? oneTimeCodeField(problem) : '')
    : mailedCodeField(
        problem,
        await useCases.findActionCode(identity.database, request, identity.clock.now()),
      );
  const proof = html`<div data-proof>!${asked}</div>
    !${question === null ? '' : passkeyButton(question)}`;
  const codeForm = withPassword
    ? ''
    : form({
        action: confirmPath,
        submit: say('Send a code to {email}', { email: visitor.account.email }),
        small: true,
        fields: hidden('action', action) + hidden('return', page),
      });
  return codeForm + form({ ...rest, fields: fields + proof });
}

function mailedCodeField(problem: ProblemError | null, sentAt: string | null): string {
  const sent =
    sentAt === null
      ? ''
      : html`<p class="hint" role="status">
          !${sayHtml('We sent a code at {sentAt}. It expires after 10 minutes.', { sentAt: instant(sentAt) })}
        </p>`;
  return (
    sent +
    field({
      name: 'mailed_code',
      label: say('Code from the e-mail'),
      hint: say('Your account has no password. We’ll send a code by e-mail to confirm your identity.'),
      autocomplete: 'one-time-code',
      maxLength: 64,
      problem,
    })
  );
}

/** Hidden until the script runs, which fills in the device's answer and sends the form. */
function passkeyButton({ sealed, options }: { readonly sealed: string; readonly options: string }): string {
  return html`!${hidden('passkey_challenge', sealed)} !${hidden('passkey_response', '')}
    <p class="fault" role="alert" data-fault hidden></p>
    <button
      type="button"
      class="quiet"
      data-proves
      data-options="${options}"
      data-texts="${passkeyTexts()}"
      hidden
    >
      ${say('Confirm with a passkey instead')}
    </button>
    <script src="${scripts.passkey.path}" defer></script>`;
}

const confirmPath = '/account/confirm';
const CodeRequest = closedObject({
  action: Type.Union(useCases.guardedActionNames.map((name) => Type.Literal(name))),
  return: Type.Optional(Type.String({ maxLength: 200 })),
});

/** Sends the code that a guarded form requires. */
export function confirmationPages(tools: PersonalTools): readonly RouteDeclaration[] {
  return [
    defineMemberForm(tools, {
      path: confirmPath,
      operationId: 'requestActionCode',
      surface: tools.mailForms,
      body: CodeRequest,
      show: async ({ visitor, body }) => {
        await useCases.requestActionCode(tools.identity, {
          accountId: visitor.account.id,
          sessionId: visitor.sessionId,
          action: body.action,
        });
        return { to: returnAddress(body) };
      },
    }),
  ];
}
