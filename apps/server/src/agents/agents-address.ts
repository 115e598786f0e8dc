import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';

import { callers } from '../access/index.ts';
import { credentials } from '../identity/index.ts';
import type { AgentsChange } from './agents-deps.ts';

/** `/ai-mentor/orgs/{org}/users/{username}/…` */
export const memberPath = '/dm/api/ai-mentor/orgs/{org}/users/{username}';

export const memberParams = {
  org: Type.String({ minLength: 1, maxLength: 100, description: 'The key of the organization.' }),
  username: Type.String({
    minLength: 1,
    maxLength: 100,
    description: "Your username, or another member's if you can act for members.",
  }),
};
export const MemberParams = Type.Object(memberParams);

export function agentsRequestOf(
  request: FastifyRequest,
  { org, username }: { readonly org: string; readonly username: string },
): AgentsChange {
  const client = credentials.clientOf(request);
  return { caller: callers.callerOf(request), organizationKey: org, username, client };
}
