import { notFound } from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import { ProblemError } from '../../../foundation/problem.ts';
import { useCases } from '../../../identity/index.ts';
import { say } from '../../shell/words/say.ts';
import type { PersonalTools } from '../console-route.ts';
import { IdParams, defineMemberForm, defineMemberPage } from '../console-route.ts';

/** Sessions are listed on the security page; their old address leads there. */
export function sessionPages(tools: PersonalTools): readonly RouteDeclaration[] {
  const { identity } = tools;
  return [
    defineMemberPage(tools, {
      path: '/account/sessions',
      operationId: 'showSessions',
      show: async () => ({ to: '/account/security' }),
    }),
    defineMemberForm(tools, {
      path: '/account/sessions/{id}/revoke',
      operationId: 'revokeSession',
      params: IdParams,
      problems: [notFound],
      show: async ({ visitor, params, client }) => {
        const ended = await useCases.revokeOwnSession(identity, {
          accountId: visitor.account.id,
          sessionId: params.id as typeof visitor.sessionId,
          client,
        });
        if (!ended) throw new ProblemError(notFound, say('Session not found. It may already be revoked.'));
        return { to: '/account/security' };
      },
    }),
  ];
}
