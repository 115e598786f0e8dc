import { conflict, forbidden, internal, notFound } from '../../foundation/http/http-problems.ts';
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
      summary: 'Policies of an organization.',
      run: (caller, query) => listPolicies(deps, caller, query, presentPolicy),
    },
    create: {
      operationId: 'createPolicy',
      summary: 'Makes a policy; it gives nothing until it is attached.',
      body: NewPolicySchema,
      problems: [forbidden, notFound, conflict, internal],
      run: async (request, { name, actions, resources }) =>
        presentPolicy(await createPolicy(deps, { ...request, policy: { name, actions, resources } })),
    },
    read: {
      operationId: 'readPolicy',
      summary: 'One policy.',
      run: async (caller, asked) => presentPolicy(await readPolicy(deps, caller, asked)),
    },
    change: {
      operationId: 'changePolicy',
      summary: 'Changes a policy.',
      description:
        'Where it is attached to a group or token, all that it will say must lie within what you may do.',
      body: PolicyChangeSchema,
      run: async (request, body) => presentPolicy(await changePolicy(deps, { ...request, change: body })),
    },
    remove: {
      operationId: 'removePolicy',
      summary: 'Removes a policy that is attached to nothing.',
      run: (request) => removePolicy(deps, request),
    },
  });
}
