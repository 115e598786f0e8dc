import { policies } from '../../../access/index.ts';
import { conflict, forbidden, invalidField, notFound } from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import type { ProblemError } from '../../../foundation/problem.ts';
import { isReadableName } from '../../../foundation/readable-name.ts';
import type { PersonalPage } from '../console-route.ts';
import { defineMemberForm } from '../console-route.ts';
import type { Visitor } from '../visitor.ts';
import type { PlatformTools } from './platform-frame.ts';
import { NumberParams, OrganizationParams, changeOf, platformPath } from './platform-frame.ts';
import type { Picked } from './policy-picker.ts';
import { PickedPolicy, pickedText, policyReport } from './policy-picker.ts';

interface Shown {
  readonly org: string;
  readonly problem?: ProblemError;
  readonly picked: Picked;
  readonly preview?: string;
}

/** The pages that show these forms again. */
export interface PolicyPages {
  readonly list: (visitor: Visitor, options: Shown) => Promise<PersonalPage>;
  readonly one: (visitor: Visitor, options: Shown & { readonly number: number }) => Promise<PersonalPage>;
}

const problems = [forbidden, notFound, conflict];
export const policyHolder = 'A member or token with this policy';

/** The targets of the pickers for a new and a stored policy. */
export function pickedPolicyForms(tools: PlatformTools, pages: PolicyPages): readonly RouteDeclaration[] {
  return [createForm(tools, pages), changeForm(tools, pages)];
}

function createForm(tools: PlatformTools, pages: PolicyPages): RouteDeclaration {
  return defineMemberForm(tools, {
    path: '/platform/{org}/policies/picked',
    operationId: 'createPickedPolicyOnPage',
    params: OrganizationParams,
    body: PickedPolicy,
    problems,
    show: async ({ visitor, params: { org }, body, client }) => {
      const place = { tools, visitor, org };
      const text = await pickedText(place, body);
      if (body.preview !== undefined) {
        const preview = await policyReport(place, policyHolder, text);
        return pages.list(visitor, { org, picked: body, preview });
      }
      const policy = await policies.createPolicy(tools.access, {
        ...changeOf(visitor, org, client),
        policy: { name: requireName(body.name), ...text.written },
      });
      return { to: platformPath(org, 'policies', String(policy.id)) };
    },
    refused: async ({ visitor, params: { org }, body }, problem) =>
      pages.list(visitor, { org, problem, picked: body }),
  });
}

function changeForm(tools: PlatformTools, pages: PolicyPages): RouteDeclaration {
  return defineMemberForm(tools, {
    path: '/platform/{org}/policies/{number}/picked',
    operationId: 'changePickedPolicyOnPage',
    params: NumberParams,
    body: PickedPolicy,
    problems,
    show: async ({ visitor, params, body, client }) => {
      const { org, number: id } = params;
      const place = { tools, visitor, org };
      const text = await pickedText(place, body);
      if (body.preview !== undefined) {
        const preview = await policyReport(place, policyHolder, text);
        return pages.one(visitor, { ...params, picked: body, preview });
      }
      await policies.changePolicy(tools.access, {
        ...changeOf(visitor, org, client),
        id,
        change: { name: requireName(body.name), ...text.written },
      });
      return { to: platformPath(org, 'policies', String(id)) };
    },
    refused: async ({ visitor, params, body }, problem) =>
      pages.one(visitor, { ...params, problem, picked: body }),
  });
}

function requireName(name = ''): string {
  if (!isReadableName(name.trim())) throw invalidField('name', 'must be a name of 1 to 100 characters');
  return name.trim();
}
