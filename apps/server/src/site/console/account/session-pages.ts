import { html } from 'ghtml';

import { notFound } from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import { ProblemError } from '../../../foundation/problem.ts';
import { useCases } from '../../../identity/index.ts';
import { client, form, instant, table } from '../../shell/form-controls.ts';
import type { PersonalTools } from '../console-route.ts';
import { IdParams, defineMemberForm, defineMemberPage } from '../console-route.ts';
import { accountPage } from './account-frame.ts';

export function sessionPages(tools: PersonalTools): readonly RouteDeclaration[] {
  const { identity } = tools;
  return [
    defineMemberPage(tools, {
      path: '/account/sessions',
      operationId: 'showSessions',
      show: async ({ visitor }) => {
        const sessions = await useCases.listSessions(
          identity.database,
          visitor.account.id,
          identity.clock.now(),
        );
        const rows = sessions.map(({ id, kind, address, userAgent, createdAt, lastUsedAt }) => [
          kind === 'browser' ? 'Browser' : 'Program',
          client(address, userAgent),
          instant(createdAt),
          instant(lastUsedAt),
          id === visitor.sessionId
            ? 'this browser'
            : form({
                action: `/account/sessions/${id}/revoke`,
                submit: 'Revoke',
                small: true,
                dangerous: true,
              }),
        ]);
        return accountPage(tools, visitor, '/account/sessions', {
          title: 'Sessions',
          main: html`<p>Signed-in browsers and programs. Revoking a session takes effect within a second.</p>
            !${table({ caption: 'Most recently used first.', columns: ['Session', 'From', 'Signed in', 'Last used', 'Revoke'], rows, empty: '' })}`,
        });
      },
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
        if (!ended) throw new ProblemError(notFound, 'No such session. It may already be revoked.');
        return { to: '/account/sessions' };
      },
    }),
  ];
}
