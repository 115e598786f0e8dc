import { html } from 'ghtml';

import { invalidRequest } from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import type { EpochMicroseconds } from '../../../foundation/instant.ts';
import { addMs } from '../../../foundation/instant.ts';
import { ProblemError } from '../../../foundation/problem.ts';
import { field, form, notice, select, shownOnce } from '../../shell/form-controls.ts';
import { accountPage } from '../account/account-frame.ts';
import type { PersonalTools } from '../console-route.ts';
import { defineMemberPage } from '../console-route.ts';
import { personPicture } from '../person-picture.ts';
import type { Visitor } from '../visitor.ts';
import { dataTable } from './data-table.ts';
import { dialog } from './dialog.ts';
import { ago } from './moments.ts';
import {
  badge,
  buttonLink,
  card,
  dangerZone,
  difference,
  emptyState,
  picker,
  progress,
  rows,
  sidePanel,
  tabs,
  toast,
} from './parts.ts';

const path = '/console/components';

/** Every component in its states, to look at during development; production has no such page. */
export function componentPage(tools: PersonalTools): readonly RouteDeclaration[] {
  const { authUrl, clock } = tools.identity;
  if (authUrl.startsWith('https:')) return [];
  return [
    defineMemberPage(tools, {
      path,
      operationId: 'showComponents',
      show: async ({ visitor }) =>
        accountPage(visitor, '/account', {
          title: 'Components',
          lead: 'Every part of the console in its states.',
          actions: buttonLink({
            href: `${path}#example`,
            label: 'Open dialog',
            kind: 'primary',
            dialog: 'example',
          }),
          crumbs: [{ href: path, label: 'Console' }],
          main: html`<div class="stack">
            !${tableExample(visitor, clock.now())}
            <div class="gallery">!${[...states(visitor, clock.now()), ...parts(visitor)].map(example)}</div>
            !${dangerZone(visitor.language, [
              {
                title: 'Delete Acme',
                text: '14 members lose access.',
                end: buttonLink({ href: path, label: 'Delete', kind: 'danger' }),
              },
            ])}
            !${dialogExample(visitor)} !${toast(visitor.language, 'good', 'Token created')}
          </div>`,
        }),
    }),
  ];
}

function example([title, content]: readonly [title: string, content: string]): string {
  return card({ title, content, isPadded: true });
}

const fault = new ProblemError(invalidRequest, 'A field is invalid.', {
  errors: [{ in: 'body', name: 'username', message: 'No spaces or capitals. Try “nora-new”' }],
});

function states(
  { language, account }: Visitor,
  now: EpochMicroseconds,
): readonly (readonly [string, string])[] {
  return [
    ['Status', ['good', 'warn', 'bad', 'off', 'plain'].map((kind) => badge(kind as 'good', kind)).join(' ')],
    ['Avatar', personPicture({ name: account.name, pictureId: null })],
    [
      'Relative time',
      [-8, -90, -3_000, -90_000]
        .map((minutes) => ago(addMs(now, minutes * 60_000), now, language))
        .join(', '),
    ],
    [
      'Field and validation',
      field({
        name: 'username',
        label: 'Username',
        hint: '3–32 lowercase letters, digits, - or _',
        value: 'Nora New',
        problem: fault,
      }) +
        select({
          name: 'role',
          label: 'Role',
          options: [{ value: 'viewer', label: 'Viewer: reads agents and files' }],
          chosen: [],
        }),
    ],
  ];
}

function parts({ language }: Visitor): readonly (readonly [string, string])[] {
  const people = ['Nora Lindqvist', '张薇', 'Colin Mbeki'].map((name) => ({ value: name, label: name }));
  return [
    ['Secret, shown once', shownOnce('Secret', 'dbk_43bddcc3dadaf00b8d559fc5')],
    [
      'Empty state',
      emptyState({
        icon: 'layers',
        title: 'No groups yet',
        text: 'A group gives the same policies to several members.',
      }),
    ],
    ['Notices', notice('good', 'Saved.') + notice('bad', 'Not saved.')],
    ['Progress', progress('example-progress', '6.2 of 10 GB used', { done: 62, of: 100 })],
    [
      'Tabs',
      tabs('Example', [
        { href: path, label: 'Overview', isCurrent: true },
        { href: path, label: 'Activity', isCurrent: false },
      ]),
    ],
    [
      'Rows',
      rows([
        {
          icon: 'key',
          title: 'Token “ci-deploy” expires in 3 days',
          text: 'Used 2,140 times',
          end: badge('warn', 'Soon'),
        },
      ]),
    ],
    ['Difference', difference(language, ['read agents', 'create agents'], ['read agents', 'delete agents'])],
    ['Picker', picker(language, { name: 'people', label: 'Members', options: people, chosen: ['张薇'] })],
    [
      'Side panel',
      sidePanel(html`<p>List</p>`, { label: 'Details', content: html`<p>Details of one entry</p>` }),
    ],
  ];
}

function dialogExample({ language }: Visitor): string {
  const fields = field({ name: 'name', label: 'Name', value: '' });
  return dialog(language, {
    id: 'example',
    title: 'Create token',
    lead: 'For a program that works on Acme.',
    content: form({ action: path, submit: 'Create token', fields }),
    aside: html`<p>What it means</p>`,
    isOpen: false,
    closeHref: path,
  });
}

function tableExample({ language }: Visitor, now: EpochMicroseconds): string {
  const people = ['Nora Lindqvist', '张薇', 'Colin Mbeki'];
  return dataTable(language, {
    caption: 'Members',
    rows: people,
    columns: [
      {
        label: 'Member',
        place: 'main',
        cell: (name) => html`<span class="name">${name}</span>`,
        sortHref: path,
        sorted: 'ascending',
      },
      { label: 'Role', place: 'state', cell: () => 'Member' },
      { label: 'Last seen', place: 'also', cell: () => ago(now, now, language) },
    ],
    nameOf: (name) => name,
    menu: () => [
      { label: 'Open', icon: 'eye', href: path },
      { label: 'Remove', icon: 'trash', href: path, isDangerous: true },
    ],
    search: { label: 'Find by name', query: '' },
    filters: [{ name: 'role', label: 'Role', options: [{ value: '', label: 'All roles' }], chosen: '' }],
    selection: {
      name: 'member',
      valueOf: (name) => name,
      buttons: [{ label: 'Remove', action: path, isDangerous: true }],
    },
    pagination: { hasMore: true, nextCursor: 'next' },
    empty: { icon: 'users', title: 'No members match.' },
  });
}
