import { html } from 'ghtml';

import type { RouteDeclaration } from '../../foundation/http/route.ts';
import { organizations } from '../../identity/index.ts';
import { table } from '../form-controls.ts';
import { defineMemberPage } from '../personal-route.ts';
import type { PlatformTools } from './platform-frame.ts';
import { platformPath } from './platform-frame.ts';

export function organizationsPage(tools: PlatformTools): RouteDeclaration {
  return defineMemberPage(tools, {
    path: '/platform',
    operationId: 'showOrganizations',
    summary: 'The organizations of whoever has signed in.',
    show: async ({ visitor }) => {
      const own = await organizations.listOwnOrganizations(tools.identity.database, visitor.account.id);
      const rows = own.map(({ key, name, role }) => [
        html`<a href="${platformPath(key, 'tokens')}">${name}</a>`,
        html`<code>${key}</code>`,
        html`${role}`,
      ]);
      return {
        title: 'Organizations',
        main: html`<h1>Organizations</h1>
          !${table({ caption: 'Where you are a member.', columns: ['Organization', 'Key', 'As'], rows, empty: 'You belong to no organization.' })}`,
      };
    },
  });
}
