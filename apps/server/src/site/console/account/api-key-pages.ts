import { html } from 'ghtml';
import type { Static } from 'typebox';
import { Type } from 'typebox';

import { capabilities, permissions } from '../../../access/index.ts';
import { dayMs } from '../../../foundation/clock.ts';
import { closedObject } from '../../../foundation/closed-object.ts';
import { conflict, notFound } from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import { idForm } from '../../../foundation/ids.ts';
import { addMs, isoMilliseconds } from '../../../foundation/instant.ts';
import { ProblemError } from '../../../foundation/problem.ts';
import { untrimmedNamePattern } from '../../../foundation/readable-name.ts';
import { credentials, useCases } from '../../../identity/index.ts';
import {
  checkboxes,
  command,
  confirmedForm,
  field,
  notice,
  problemNotice,
  radios,
  select,
  shownOnce,
} from '../../shell/form-controls.ts';
import { say, sayDays, sayHtml, sayKnown, sayList } from '../../shell/words/say.ts';
import type { Column } from '../components/data-table.ts';
import { dataTable } from '../components/data-table.ts';
import { dialog, opensDialog } from '../components/dialog.ts';
import { ago } from '../components/moments.ts';
import { buttonLink } from '../components/parts.ts';
import type { PersonalPage } from '../console-route.ts';
import { IdParams, defineMemberForm, defineMemberPage } from '../console-route.ts';
import { sayAllowed } from '../platform/capability-report.ts';
import type { PlatformTools } from '../platform/platform-frame.ts';
import { NewQuery } from '../platform/platform-frame.ts';
import { storageCapabilities } from '../storage/storage-capabilities.ts';
import type { Visitor } from '../visitor.ts';
import { accountPage } from './account-frame.ts';
import { guardedForm, proofFields, proofOf } from './guarded-form.ts';
import { asWrongPassword } from './password-pages.ts';

/** The common fields of the forms for new keys. */
export const keyProperties = {
  ...proofFields,
  name: Type.String({ maxLength: 100, pattern: untrimmedNamePattern }),
  days: Type.Optional(Type.Union([Type.Literal('30'), Type.Literal('90'), Type.Literal('365')])),
};
const NewKey = closedObject({
  ...keyProperties,
  access: Type.Optional(Type.Union([Type.Literal('everything'), Type.Literal('read_only')])),
  organizations: Type.Optional(Type.Array(Type.String({ pattern: idForm.source }), { maxItems: 1_000 })),
});
export const apiKeysPath = '/account/api-keys';
const path = apiKeysPath;
const lifetimes = () => [
  { value: '', label: say('never') },
  { value: '30', label: sayDays(30) },
  { value: '90', label: sayDays(90) },
  { value: '365', label: say('in a year') },
];

export function apiKeyPages(tools: PlatformTools): readonly RouteDeclaration[] {
  const { identity } = tools;
  return [
    defineMemberPage(tools, {
      path,
      operationId: 'showApiKeys',
      query: NewQuery,
      show: async ({ visitor, query }) => keysPage(tools, visitor, { isCreating: query.new !== undefined }),
    }),
    defineMemberForm(tools, {
      path,
      operationId: 'createApiKeyOnPage',
      surface: tools.signInForms,
      body: NewKey,
      problems: [...useCases.proofProblems, conflict],
      show: async ({ visitor, body: { name, days, access, organizations, ...proof }, client }) => {
        const made = await useCases.issueProvenApiKey(identity, {
          ...proofOf(visitor, proof),
          account: visitor.account,
          name,
          organizations,
          limit: access === 'read_only' ? access : undefined,
          expiresAt: expiryOf(tools, days),
          client,
        });
        return keysPage(tools, visitor, { news: newKeyNotice(tools, made) });
      },
      refused: async ({ visitor, body }, problem) =>
        keysPage(tools, visitor, { problem: asWrongPassword(problem), filled: body }),
    }),
    defineMemberForm(tools, {
      path: `${path}/{id}/revoke`,
      operationId: 'revokeApiKeyOnPage',
      params: IdParams,
      problems: [notFound],
      show: async ({ visitor, params, client }) => {
        const revoked = await useCases.revokeApiKey(identity, {
          accountId: visitor.account.id,
          keyId: params.id as Parameters<typeof useCases.revokeApiKey>[1]['keyId'],
          client,
        });
        if (!revoked) throw new ProblemError(notFound, say('API key not found. It may already be revoked.'));
        return { to: path };
      },
    }),
  ];
}

export function expiryOf({ identity }: PlatformTools, days: string | undefined): string | null {
  return days === undefined ? null : isoMilliseconds(addMs(identity.clock.now(), Number(days) * dayMs));
}

/** Shows the secret of a new key. */
export function newKeyNotice(
  { identity }: PlatformTools,
  { record, secret }: Awaited<ReturnType<typeof useCases.issueProvenApiKey>>,
): string {
  return notice(
    'good',
    html`<p>
        !${sayHtml('The API key {strong} is active.', { strong: html`<strong>${record.name}</strong>` })}
      </p>
      !${shownOnce(say('Secret'), secret)}
      !${command(say('Example request'), `curl -H 'x-api-key: ${secret}' '${identity.baseUrl}/api/v1/me'`)}`,
  );
}

interface KeysPageOptions {
  /** At the address of the dialog. */
  readonly isCreating?: boolean;
  readonly news?: string;
  readonly problem?: ProblemError;
  /** The submitted values of a refused form. */
  readonly filled?: Partial<Static<typeof NewKey>>;
}

export async function keysPage(
  tools: PlatformTools,
  visitor: Visitor,
  { news = '', problem, filled, isCreating = false }: KeysPageOptions = {},
): Promise<PersonalPage> {
  const { identity } = tools;
  const keys = await useCases.listLiveApiKeys(identity.database, visitor.account.id, identity.clock.now());
  const label = say('Create key');
  const question = await guardedForm(tools, visitor, {
    guards: 'create_api_key',
    page: path + opensDialog,
    action: path,
    submit: label,
    fields: keyFields(visitor, filled, problem),
    problem: problem ?? null,
  });
  const actions = buttonLink({
    href: path + opensDialog,
    label: say('Create API key'),
    icon: 'plus',
    kind: 'primary',
    dialog: 'create',
  });
  return accountPage(visitor, '/account/security', {
    title: say('API keys'),
    lead: html`!${sayHtml('Programs send an API key in the {code} header. A key has your permissions unless you limit them. It cannot create other API keys.', { code: html`<code>X-API-Key</code>` })}`,
    actions,
    main: html`!${news}
    !${dataTable(visitor.language, {
      caption: say('Active API keys.'),
      rows: keys,
      columns: keyColumns(tools, visitor),
      empty: { icon: 'key', title: say('You have no API keys.'), action: actions },
    })}
    !${dialog(visitor.language, {
      id: 'create',
      title: label,
      content: html`!${problemNotice(problem)} !${tools.files === null ? '' : namedPermissionLinks(visitor)}
      !${question}`,
      isOpen: isCreating || problem !== undefined,
      closeHref: path,
    })}`,
  });
}

type ListedKey = Awaited<ReturnType<typeof useCases.listLiveApiKeys>>[number];

function keyColumns({ identity }: PlatformTools, visitor: Visitor): readonly Column<ListedKey>[] {
  const now = identity.clock.now();
  const { language } = visitor;
  return [
    {
      label: say('Name'),
      place: 'main',
      cell: (key) =>
        html`<span class="name">${key.name}</span><small>${limitSentence(key.limit, visitor)}</small>`,
    },
    { label: say('Created'), place: 'low', cell: ({ createdAt }) => ago(createdAt, now, language) },
    { label: say('Expires'), place: 'also', cell: ({ expiresAt }) => ago(expiresAt, now, language) },
    { label: say('Last used'), place: 'also', cell: ({ lastUsedAt }) => ago(lastUsedAt, now, language) },
    {
      label: say('Organizations'),
      place: 'low',
      cell: (key) => html`${scopeOf(key.organizations, visitor)}`,
    },
    {
      label: say('Revoke'),
      place: 'also',
      cell: (key) =>
        confirmedForm(say('Revoke'), {
          action: `${path}/${key.id}/revoke`,
          submit: say('Revoke {name}', { name: key.name }),
          small: true,
          dangerous: true,
        }),
    },
  ];
}

function scopeOf(organizations: readonly string[] | null, { account }: Visitor): string {
  if (organizations === null) return 'all';
  return account.memberships
    .filter(({ organizationId }) => organizations.includes(organizationId))
    .map(({ organizationName }) => organizationName)
    .join(', ');
}

/** The effective permissions of a key, for each organization that they name. */
function limitSentence(limit: credentials.ApiKeyLimit | null, { account }: Visitor): string {
  if (limit === null || limit === 'read_only') return sayKnown(credentials.limitWords(limit));
  const sentences = account.memberships.flatMap(({ organizationKey: key, organizationName }) => {
    const policies = limit.flatMap((written) => {
      const parsed = permissions.parsePolicy(written, key);
      return parsed.ok ? [parsed.value] : [];
    });
    const authority = permissions.compileAuthority(policies);
    const { can } = capabilities.reportCapabilities(authority, key, storageCapabilities);
    return can.length === 0 ? [] : [`${organizationName}: ${sayList(can.map((one) => sayAllowed(one)))}`];
  });
  return sentences.length === 0 ? sayKnown(credentials.limitWords(limit)) : sentences.join('. ');
}

/** A key with named permissions is created on a page for each organization. */
function namedPermissionLinks({ account }: Visitor): string {
  return html`<p>${say('To create a key with selected permissions, choose an organization:')}</p>
    <ul>
      !${account.memberships.map(
        ({ organizationKey, organizationName }) =>
          html`<li><a href="${limitedKeyPath(organizationKey)}">${organizationName}</a></li>`,
      )}
    </ul>`;
}

export function limitedKeyPath(org: string): string {
  return `${apiKeysPath}/in/${encodeURIComponent(org)}`;
}

export function nameAndExpiry(
  filled: { readonly name?: string; readonly days?: string } | undefined,
  problem: ProblemError | null | undefined,
): string {
  const name = field({
    name: 'name',
    label: say('Name'),
    hint: say('For example, the program that uses the key.'),
    value: filled?.name ?? '',
    maxLength: 100,
    autocomplete: 'off',
    problem,
  });
  // Browsers omit unchecked fields.
  const chosen = [filled === undefined ? '90' : (filled.days ?? '')];
  return name + select({ name: 'days', label: say('Expires'), options: lifetimes(), chosen });
}

const accessOptions = () => [
  { value: 'everything', label: say('All of my permissions') },
  { value: 'read_only', label: say('Read only') },
];

function keyFields(
  { account }: Visitor,
  filled: KeysPageOptions['filled'],
  problem: ProblemError | undefined,
): string {
  const options = account.memberships.map(({ organizationId, organizationName }) => ({
    value: organizationId,
    label: organizationName,
  }));
  return [
    nameAndExpiry(filled, problem),
    radios({
      name: 'access',
      label: say('Permissions'),
      options: accessOptions(),
      chosen: [filled?.access ?? 'everything'],
    }),
    checkboxes({
      name: 'organizations',
      label: say('Limit to organizations'),
      hint: say('Select none to include all your organizations, now and in the future.'),
      options,
      chosen: filled?.organizations ?? [],
    }),
  ].join('');
}
