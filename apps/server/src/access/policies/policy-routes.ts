import { conflict, forbidden, notFound } from '../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../foundation/http/route.ts';
import { namedResourceRoutes } from '../named-resources/named-resource-routes.ts';
import type { PlatformRoutesDeps } from '../platform-routes-deps.ts';
import { changePolicy, createPolicy } from './change-policy.ts';
import { listPolicies, readPolicy, removePolicy } from './policy-resource.ts';
import {
  NewPolicySchema,
  PolicyChangeSchema,
  PolicyPageSchema,
  PolicySchema,
  presentPolicy,
} from './policy-schema.ts';

export function policyRoutes(deps: PlatformRoutesDeps): readonly RouteDeclaration[] {
  return namedResourceRoutes({
    surface: deps.surface,
    noun: 'policy',
    collection: 'policies',
    bodyBytesMax: 128 * 1024,
    page: PolicyPageSchema,
    one: PolicySchema,
    list: {
      operationId: 'listPolicies',
      summary: 'List policies.',
      run: (caller, query) => listPolicies(deps, caller, query, presentPolicy),
    },
    create: {
      operationId: 'createPolicy',
      summary: 'Create a policy. It takes effect when it is attached.',
      body: NewPolicySchema,
      problems: [forbidden, notFound, conflict],
      run: async (request, { name, actions, resources }) =>
        presentPolicy(await createPolicy(deps, { ...request, policy: { name, actions, resources } })),
    },
    read: {
      operationId: 'readPolicy',
      summary: 'Get a policy.',
      run: async (caller, asked) => presentPolicy(await readPolicy(deps, caller, asked)),
    },
    change: {
      operationId: 'changePolicy',
      summary: 'Update a policy.',
      description: 'If the policy is attached to a group or token, you must have all its new permissions.',
      body: PolicyChangeSchema,
      run: async (request, body) => presentPolicy(await changePolicy(deps, { ...request, change: body })),
    },
    remove: {
      operationId: 'removePolicy',
      summary: 'Delete a policy that is not attached.',
      run: (request) => removePolicy(deps, request),
    },
  });
}
