import { html } from 'ghtml';
import { Type } from 'typebox';

import { closedObject } from '../../../foundation/closed-object.ts';
import { conflict, notFound } from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import { ProblemError } from '../../../foundation/problem.ts';
import { useCases } from '../../../identity/index.ts';
import { confirmedForm, field, notice, problemNotice } from '../../shell/form-controls.ts';
import { say } from '../../shell/words/say.ts';
import { dataTable } from '../components/data-table.ts';
import { ago } from '../components/moments.ts';
import { buttonLink } from '../components/parts.ts';
import type { PersonalPage, PersonalTools } from '../console-route.ts';
import { IdParams, defineMemberForm, defineMemberPage } from '../console-route.ts';
import {
  deviceResponse,
  keepChallenge,
  storedChallenge,
  passkeyForm,
} from '../sign-in/passkey-sign-in-pages.ts';
import type { Visitor } from '../visitor.ts';
import { accountPage } from './account-frame.ts';
import { guardedForm, proofFields, proofOf } from './guarded-form.ts';
import { passwordOffPath } from './password-off-pages.ts';
import { asWrongPassword } from './password-pages.ts';

const path = '/account/passkeys';

const finishPath = `${path}/finish`;

const NewPasskey = closedObject({ ...proofFields, name: Type.Optional(Type.String({ maxLength: 200 })) });
const Answer = closedObject({ response: deviceResponse });

/** The passkeys of an account. */
export function passkeyPages(tools: PersonalTools): readonly RouteDeclaration[] {
  return [
    defineMemberPage(tools, {
      path,
      operationId: 'showPasskeys',
      show: async ({ visitor }) => passkeysPage(tools, visitor),
    }),
    beginForm(tools),
    finishForm(tools),
    removeForm(tools),
  ];
}

/** The owner confirms before the device creates a key: the site cannot delete a key from a device. */
function beginForm(tools: PersonalTools): RouteDeclaration {
  return defineMemberForm(tools, {
    path,
    operationId: 'beginPasskey',
    surface: tools.signInForms,
    body: NewPasskey,
    problems: [...useCases.proofProblems, conflict],
    show: async ({ visitor, body: { name = '', ...proof }, client, reply }) => {
      const { sealed, options } = await useCases.beginPasskey(tools.identity, {
        ...proofOf(visitor, proof),
        account: visitor.account,
        name,
        client,
      });
      keepChallenge(tools, reply, sealed);
      return devicePage(visitor, options);
    },
    refused: async ({ visitor, body }, problem) =>
      passkeysPage(tools, visitor, { problem: asWrongPassword(problem), name: body.name ?? '' }),
  });
}

function finishForm(tools: PersonalTools): RouteDeclaration {
  return defineMemberForm(tools, {
    path: finishPath,
    operationId: 'addPasskey',
    body: Answer,
    problems: [useCases.invalidPasskey, conflict],
    show: async ({ visitor, body, request, client }) => {
      await useCases.addPasskey(tools.identity, {
        account: visitor.account,
        sessionId: visitor.sessionId,
        challenge: storedChallenge(tools, request),
        response: body.response ?? '',
        client,
      });
      const news = notice('good', say('Passkey added. We’ll send you an e-mail.'));
      return passkeysPage(tools, visitor, { news });
    },
    refused: async ({ visitor }, problem) => passkeysPage(tools, visitor, { problem }),
  });
}

function removeForm(tools: PersonalTools): RouteDeclaration {
  return defineMemberForm(tools, {
    path: `${path}/{id}/remove`,
    operationId: 'removePasskey',
    params: IdParams,
    problems: [notFound],
    show: async ({ visitor: { account }, params, client }) => {
      const removed = await useCases.removePasskey(tools.identity, {
        account,
        passkeyId: params.id as Parameters<typeof useCases.removePasskey>[1]['passkeyId'],
        client,
      });
      if (!removed) throw new ProblemError(notFound, say('Passkey not found. It may already be removed.'));
      return { to: path };
    },
  });
}

interface Shown {
  readonly problem?: ProblemError | null;
  readonly news?: string;
  /** Of a refused form. */
  readonly name?: string;
}

async function passkeysPage(
  tools: PersonalTools,
  visitor: Visitor,
  { problem = null, news = '', name = '' }: Shown = {},
): Promise<PersonalPage> {
  const { identity } = tools;
  const { account } = visitor;
  const passkeys = await useCases.listPasskeys(identity.database, account.id);
  const withPassword = await useCases.hasPassword(identity.database, account.id);
  const withCode = await useCases.hasSecondFactor(identity.database, account.id);
  const question = await guardedForm(tools, visitor, {
    guards: 'add_passkey',
    page: path,
    action: path,
    submit: say('Add passkey'),
    fields: nameField(name, problem),
    problem,
  });
  return accountPage(visitor, '/account/security', {
    title: say('Passkeys'),
    main: html`<p>
        ${say('A passkey is stored on your phone, computer or security key. It signs you in without a password or code and protects against phishing.')}
      </p>
      !${news} !${problemNotice(problem)} !${passkeyTable(tools, visitor, passkeys)}
      <h2>${say('Add a passkey')}</h2>
      !${question} !${withPassword && passkeys.length > 0 ? passwordOffPart(withCode) : ''}`,
  });
}

function devicePage(visitor: Visitor, options: string): PersonalPage {
  return accountPage(visitor, '/account/security', {
    title: say('Create passkey'),
    main: html`<p>
        ${say('Your device asks for your fingerprint, face or PIN and creates the passkey. The request expires after 5 minutes.')}
      </p>
      !${passkeyForm({ action: finishPath, submit: say('Create passkey'), passkey: 'create', options })}
      <p>!${buttonLink({ href: path, label: say('Cancel') })}</p>`,
  });
}

function passkeyTable(
  { identity }: PersonalTools,
  { language }: Visitor,
  passkeys: Awaited<ReturnType<typeof useCases.listPasskeys>>,
): string {
  const now = identity.clock.now();
  return dataTable(language, {
    caption: say('Each passkey can sign in to your account.'),
    rows: passkeys,
    columns: [
      { label: say('Name'), place: 'main', cell: ({ name }) => html`<span class="name">${name}</span>` },
      { label: say('Added'), place: 'also', cell: ({ createdAt }) => ago(createdAt, now, language) },
      { label: say('Last used'), place: 'also', cell: ({ lastUsedAt }) => ago(lastUsedAt, now, language) },
      {
        label: say('Remove'),
        place: 'also',
        cell: ({ id, name }) =>
          confirmedForm(say('Remove'), {
            action: `${path}/${id}/remove`,
            submit: say('Remove {name}', { name }),
            small: true,
            dangerous: true,
          }),
      },
    ],
    empty: { icon: 'finger', title: say('You have no passkeys.') },
  });
}

function nameField(name: string, problem: ProblemError | null): string {
  const hint = say('For example, the device that stores the passkey.');
  const control = {
    name: 'name',
    label: say('Name'),
    hint,
    value: name,
    maxLength: 200,
    autocomplete: 'off',
  };
  return field({ ...control, problem });
}

function passwordOffPart(withCode: boolean): string {
  return html`<h2>${say('Passwordless sign-in')}</h2>
    <p>
      ${
        withCode
          ? say('You can remove your password and one-time codes and sign in only with passkeys.')
          : say('You can remove your password and sign in only with passkeys.')
      }
    </p>
    <p><a href="${passwordOffPath}">${say('Remove password')}</a></p>`;
}
