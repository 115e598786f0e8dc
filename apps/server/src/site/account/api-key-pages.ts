import { html } from 'ghtml';
import { Type } from 'typebox';

import { conflict, notFound } from '../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../foundation/http/route.ts';
import { addMs, isoMilliseconds } from '../../foundation/instant.ts';
import { ProblemError } from '../../foundation/problem.ts';
import { credentials, useCases } from '../../identity/index.ts';
import { field, form, instant, notice, problemNotice, select, shownOnce, table } from '../form-controls.ts';
import type { PersonalPage, PersonalTools } from '../personal-route.ts';
import { IdParams, defineMemberForm, defineMemberPage } from '../personal-route.ts';
import type { Visitor } from '../visitor.ts';
import { accountPage } from './account-frame.ts';

const NewKey = Type.Object(
  {
    name: Type.String({ maxLength: 100, pattern: '\\S' }),
    days: Type.Optional(Type.Union([Type.Literal('30'), Type.Literal('90'), Type.Literal('365')])),
  },
  { additionalProperties: false },
);
const path = '/account/api-keys';
const lifetimes = [
  { value: '', label: 'never' },
  { value: '30', label: 'in 30 days' },
  { value: '90', label: 'in 90 days' },
  { value: '365', label: 'in a year' },
];
const dayMs = 86_400_000;

export function apiKeyPages(tools: PersonalTools): readonly RouteDeclaration[] {
  const { identity } = tools;
  return [
    defineMemberPage(tools, {
      path,
      operationId: 'showApiKeys',
      summary: 'The live API keys of the account.',
      show: async ({ visitor }) => keysPage(tools, visitor),
    }),
    defineMemberForm(tools, {
      path,
      operationId: 'createApiKeyOnPage',
      summary: 'Makes an API key and shows its secret once.',
      body: NewKey,
      problems: [conflict],
      show: async ({ visitor, body, request }) => {
        const { record, secret } = await useCases.issueApiKey(identity, {
          account: visitor.account,
          name: body.name,
          organizations: undefined,
          expiresAt:
            body.days === undefined
              ? null
              : isoMilliseconds(addMs(identity.clock.now(), Number(body.days) * dayMs)),
          client: credentials.clientOf(request),
        });
        const news = notice(
          'good',
          html`<p>The key <strong>${record.name}</strong> works from now on.</p>
            !${shownOnce('Its secret', secret)}`,
        );
        return keysPage(tools, visitor, { news });
      },
      refused: async ({ visitor, body }, problem) => {
        return keysPage(tools, visitor, { problem, name: body.name });
      },
    }),
    defineMemberForm(tools, {
      path: `${path}/{id}/revoke`,
      operationId: 'revokeApiKeyOnPage',
      summary: 'Revokes an API key.',
      params: IdParams,
      problems: [notFound],
      show: async ({ visitor, params, request }) => {
        const revoked = await useCases.revokeApiKey(identity, {
          accountId: visitor.account.id,
          keyId: params.id as Parameters<typeof useCases.revokeApiKey>[1]['keyId'],
          client: credentials.clientOf(request),
        });
        if (!revoked) throw new ProblemError(notFound, 'you have no such key; it may be revoked already');
        return { to: path };
      },
    }),
  ];
}

interface KeysPageOptions {
  readonly news?: string;
  readonly problem?: ProblemError;
  readonly name?: string;
}

async function keysPage(
  tools: PersonalTools,
  visitor: Visitor,
  { news = '', problem, name = '' }: KeysPageOptions = {},
): Promise<PersonalPage> {
  const { identity } = tools;
  const keys = await useCases.listLiveApiKeys(identity.database, visitor.account.id, identity.clock.now());
  const rows = keys.map((key) => [
    html`${key.name}`,
    instant(isoMilliseconds(key.createdAt)),
    key.expiresAt === null ? 'never' : instant(isoMilliseconds(key.expiresAt)),
    key.lastUsedAt === null ? 'never' : instant(isoMilliseconds(key.lastUsedAt)),
    form({ action: `${path}/${key.id}/revoke`, submit: 'Revoke', small: true, dangerous: true }),
  ]);
  const fields = html`!${field({ name: 'name', label: 'Name', hint: 'What will use it, so that you know later.', value: name, maxLength: 100, autocomplete: 'off' }, problem)}
  !${select({ name: 'days', label: 'Expires', options: lifetimes, chosen: ['90'] })}`;
  return accountPage(tools, visitor, path, {
    title: 'API keys',
    main: html`<p>
        For programs that cannot sign in: send a key as <code>X-API-Key</code>. It may do what you may do, but
        makes no further keys.
      </p>
      !${news} !${problemNotice(problem)}
      !${table({ caption: 'Keys that work now.', columns: ['Name', 'Made', 'Expires', 'Last used', 'Revoke'], rows, empty: 'You have no API keys.' })}
      <h2>Make a key</h2>
      !${form({ action: path, submit: 'Make key', fields })}`,
  });
}
