import { html } from 'ghtml';

import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import type { PersonalTools } from '../personal-route.ts';
import { defineMemberPage } from '../personal-route.ts';
import { accountPage } from './account-frame.ts';
import { emailPath } from './email-pages.ts';

export function overviewPage(tools: PersonalTools): RouteDeclaration {
  return defineMemberPage(tools, {
    path: '/account',
    operationId: 'showAccount',
    summary: 'The account of whoever has signed in.',
    show: async ({ visitor }) => {
      const { account } = visitor;
      const current = account.memberships.find((one) => one.organizationId === account.organizationId);
      return accountPage(tools, visitor, '/account', {
        title: account.name,
        main: html`<dl class="facts">
          <dt>Username</dt>
          <dd><code>${account.username}</code></dd>
          <dt>E-mail address</dt>
          <dd>${account.email} · <a href="${emailPath}">Change</a></dd>
          <dt>Organization</dt>
          <dd><a href="/account/organization">${current?.organizationName ?? ''}</a></dd>
          <dt>Workspaces</dt>
          <dd>
            !${account.workspaces.map(
              ({ workspaceName, role }) => html`<div>${workspaceName}, as ${role}</div>`,
            )}
          </dd>
        </dl>`,
      });
    },
  });
}
