import { wordsOf } from '../../shell/words/words.ts';
import type { IconName } from '../components/icons.ts';
import type { PersonalPage } from '../console-route.ts';
import type { ConsolePlace, Link } from '../frame/console-frame.ts';
import type { Visitor } from '../visitor.ts';

export const accountSections = [
  ['/account', 'profile', 'user'],
  ['/account/security', 'security', 'lock'],
  ['/account/watch', 'watch', 'search'],
  ['/account/activity', 'activity', 'pulse'],
  ['/account/data', 'data', 'box'],
  ['/platform', 'organizations', 'building'],
] as const satisfies readonly (readonly [href: string, label: string, icon: IconName])[];

export type AccountSection = (typeof accountSections)[number][0];

interface AccountPage
  extends Pick<PersonalPage, 'title' | 'main'>, Pick<ConsolePlace, 'lead' | 'actions' | 'tabs'> {
  readonly crumbs?: readonly Link[];
}

/** A page of the account, in the frame of the console. */
export function accountPage(
  { account, language }: Visitor,
  section: AccountSection,
  { title, main, crumbs = [], ...head }: AccountPage,
): PersonalPage {
  const words = wordsOf(language).console;
  const items = accountSections.map(([href, label, icon]) => ({
    href,
    label: words.account[label],
    icon,
    isCurrent: href === section,
  }));
  const current = account.memberships.find((one) => one.organizationId === account.organizationId);
  const own = items.find(({ isCurrent }) => isCurrent);
  const parents = own === undefined || own.label === title || section === '/account' ? [] : [own];
  const place = {
    groups: [{ label: words.groups.account, items }],
    bottom: items,
    back: { href: '/account/organization', label: words.backTo(current?.organizationName ?? '') },
    crumbs: [
      ...(section === '/account' && crumbs.length === 0 ? [] : [{ href: '/account', label: account.name }]),
      ...parents,
      ...crumbs,
    ],
    ...head,
  };
  return { title, main, place };
}
