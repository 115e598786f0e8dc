import { html } from 'ghtml';

import { form } from '../../shell/form-controls.ts';
import type { PersonalPage, PersonalTools } from '../console-route.ts';
import type { Visitor } from '../visitor.ts';

const tabs = [
  ['/account', 'Overview'],
  ['/account/security', 'Security'],
  ['/account/sessions', 'Sessions'],
  ['/account/api-keys', 'API keys'],
  ['/account/password', 'Password'],
  ['/account/second-factor', 'Two-factor authentication'],
  ['/account/passkeys', 'Passkeys'],
  ['/account/provider', 'Sign-in provider'],
  ['/account/activity', 'Activity'],
  ['/account/data', 'Your data'],
  ['/account/organization', 'Organization'],
  ['/platform', 'All organizations'],
] as const;

export type AccountTab = (typeof tabs)[number][0];

/** The shared head of the account pages. */
export function accountPage(
  { identity }: Pick<PersonalTools, 'identity'>,
  { account }: Visitor,
  tab: AccountTab,
  page: Pick<PersonalPage, 'title' | 'main'>,
): PersonalPage {
  const current = account.memberships.find((one) => one.organizationId === account.organizationId);
  const shown = tabs.filter(([href]) => href !== '/account/provider' || identity.openId !== null);
  return {
    title: page.title,
    wide: true,
    main: html`<nav class="tabs" aria-label="Account">
        !${shown.map(
          ([href, label]) =>
            html`<a href="${href}" !${href === tab ? 'aria-current="page"' : ''}
              >${href === '/account/organization' ? (current?.organizationName ?? label) : label}</a
            > `,
        )}
      </nav>
      <h1>${page.title}</h1>
      !${page.main}
      <div class="aside">
        <span>Signed in as ${account.email}</span>
        !${form({ action: '/auth/signout', submit: 'Sign out', small: true })}
      </div>`,
  };
}
