import { html } from 'ghtml';
import type { Static } from 'typebox';
import { Type } from 'typebox';

import type { permissions } from '../../../access/index.ts';
import { closedObject } from '../../../foundation/closed-object.ts';
import { conflict, forbidden, notFound } from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import type { ProblemError } from '../../../foundation/problem.ts';
import { credentials, useCases } from '../../../identity/index.ts';
import { problemNotice } from '../../shell/form-controls.ts';
import { say } from '../../shell/words/say.ts';
import { buttonLink } from '../components/parts.ts';
import type { PersonalPage } from '../console-route.ts';
import { defineMemberForm, defineMemberPage } from '../console-route.ts';
import type { PlatformPlace, PlatformTools } from '../platform/platform-frame.ts';
import { OrganizationParams, mayIn } from '../platform/platform-frame.ts';
import { pickedProperties, pickedText, pickerFields, policyReport } from '../platform/policy-picker.ts';
import { accountPage } from './account-frame.ts';
import {
  apiKeysPath,
  expiryOf,
  keyProperties,
  keysPage,
  limitedKeyPath,
  nameAndExpiry,
  newKeyNotice,
} from './api-key-pages.ts';
import { guardedForm, proofOf } from './guarded-form.ts';
import { asWrongPassword } from './password-pages.ts';

const LimitedKey = closedObject({
  ...keyProperties,
  ...pickedProperties,
  name: Type.Optional(keyProperties.name),
});
type Filled = Partial<Static<typeof LimitedKey>>;
const path = `${apiKeysPath}/in/{org}`;

/** Creates an API key that is limited to chosen actions in one organization. */
export function limitedKeyPages(tools: PlatformTools): readonly RouteDeclaration[] {
  return [
    defineMemberPage(tools, {
      path,
      operationId: 'showLimitedApiKey',
      params: OrganizationParams,
      problems: [notFound],
      show: async ({ visitor, params: { org } }) => limitedKeyPage({ tools, visitor, org }),
    }),
    defineMemberForm(tools, {
      path,
      operationId: 'createLimitedApiKeyOnPage',
      surface: tools.signInForms,
      params: OrganizationParams,
      body: LimitedKey,
      problems: [...useCases.proofProblems, conflict, forbidden, notFound],
      show: async ({ visitor, params: { org }, body, client }) => {
        const place = { tools, visitor, org };
        const { jobs: _jobs, only: _only, can: _can, on: _on, preview, name = '', days, ...proof } = body;
        const text = await pickedText(place, body, 'key');
        if (preview !== undefined)
          return limitedKeyPage(place, {
            filled: body,
            preview: await policyReport(place, 'key', text),
          });
        const made = await useCases.issueProvenApiKey(tools.identity, {
          ...proofOf(visitor, proof),
          account: visitor.account,
          name,
          organizations: organizationOf(place),
          limit: limitOf(text.written),
          expiresAt: expiryOf(tools, days),
          client,
        });
        return keysPage(tools, visitor, { news: newKeyNotice(tools, made) });
      },
      refused: async ({ visitor, params: { org }, body }, problem) =>
        limitedKeyPage({ tools, visitor, org }, { problem: asWrongPassword(problem), filled: body }),
    }),
  ];
}

/** Maximum resources of a permission: more are split into several permissions. */
function limitOf({ actions, resources }: permissions.WrittenPolicy): credentials.ApiKeyLimit {
  const parts = Math.ceil(resources.length / credentials.permissionEntriesMax);
  return Array.from({ length: parts }, (_, part) => ({
    actions,
    resources: resources.slice(
      part * credentials.permissionEntriesMax,
      (part + 1) * credentials.permissionEntriesMax,
    ),
  }));
}

function organizationOf({ visitor, org }: PlatformPlace): readonly string[] | undefined {
  const own = visitor.account.memberships.find(({ organizationKey }) => organizationKey === org);
  return own === undefined ? undefined : [own.organizationId];
}

async function limitedKeyPage(
  place: PlatformPlace,
  options: { readonly problem?: ProblemError; readonly filled?: Filled; readonly preview?: string } = {},
): Promise<PersonalPage> {
  const { tools, visitor, org } = place;
  const { problem = null, filled, preview = '' } = options;
  // Raises the organization's refusal of the visitor.
  await mayIn(tools, visitor, org);
  const here = limitedKeyPath(org);
  const fields =
    nameAndExpiry(filled, problem) + (await pickerFields(place, filled ?? {}, problem, { of: 'key' }));
  const question = await guardedForm(tools, visitor, {
    guards: 'create_api_key',
    page: here,
    action: here,
    submit: say('Create key'),
    fields,
    problem,
  });
  return accountPage(visitor, '/account/security', {
    title: say('API key for {org}', { org }),
    main: html`<p>
        ${say('The key has the permissions you select, as long as you have them yourself. It has no access to other organizations.')}
      </p>
      !${problemNotice(problem)} !${preview} !${question}
      <p>!${buttonLink({ href: apiKeysPath, label: say('Cancel') })}</p>`,
  });
}
