import { html } from 'ghtml';
import { Type } from 'typebox';

import { closedObject } from '../../../foundation/closed-object.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import type { ProblemError } from '../../../foundation/problem.ts';
import { useCases } from '../../../identity/index.ts';
import { field, form, notice, problemNotice } from '../../shell/form-controls.ts';
import type { PersonalPage, PersonalTools } from '../console-route.ts';
import { defineMemberForm, defineMemberPage } from '../console-route.ts';
import { personPicture } from '../person-picture.ts';
import type { Visitor } from '../visitor.ts';
import { accountPage } from './account-frame.ts';
import { emailPath } from './email-pages.ts';

const path = '/account';
export const picturePath = '/account/picture';
const NameForm = closedObject({ name: Type.Optional(Type.String({ maxLength: 400 })) });

/** The account's identity and display name. */
export function overviewPages(tools: PersonalTools): readonly RouteDeclaration[] {
  return [
    defineMemberPage(tools, {
      path,
      operationId: 'showAccount',
      show: async ({ visitor }) => overviewPage(tools, visitor),
    }),
    defineMemberForm(tools, {
      path,
      operationId: 'renameAccount',
      body: NameForm,
      show: async ({ visitor, body, client }) => {
        const { account } = visitor;
        const asked = { accountId: account.id, name: body.name ?? '', client };
        const name = await useCases.renameAccount(tools.identity, asked);
        const renamed = { ...visitor, account: { ...account, name } };
        return overviewPage(tools, renamed, { news: 'Name saved.' });
      },
      refused: async ({ visitor, body }, problem) =>
        overviewPage(tools, visitor, { problem, filled: body.name ?? '' }),
    }),
  ];
}

interface Shown {
  readonly news?: string;
  readonly problem?: ProblemError;
  /** The submitted values of a refused form. */
  readonly filled?: string;
}

export async function overviewPage(
  tools: PersonalTools,
  visitor: Visitor,
  { news, problem, filled }: Shown = {},
): Promise<PersonalPage> {
  const { account } = visitor;
  const current = account.memberships.find((one) => one.organizationId === account.organizationId);
  const name = field({
    name: 'name',
    label: 'Name',
    hint: 'Shown to other members and in invitations.',
    value: filled ?? account.name,
    maxLength: 100,
    autocomplete: 'name',
    problem,
  });
  return accountPage(visitor, path, {
    title: account.name,
    main: html`!${news === undefined ? '' : notice('good', html`<p>${news}</p>`)} !${problemNotice(problem)}
      <dl class="facts">
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
      </dl>
      !${form({ action: path, submit: 'Save name', fields: name })}
      <h2>Picture</h2>
      !${await pictureSection(tools, visitor, problem)}`,
  });
}

async function pictureSection(
  { identity }: PersonalTools,
  { account }: Visitor,
  problem: ProblemError | undefined,
): Promise<string> {
  const pictureId = await useCases.findPictureId(identity.database, account.id);
  const { pictureBytesMax, pictureMediaTypes, pictureSideMax } = useCases;
  const fields = field({
    name: 'picture',
    label: pictureId === null ? 'Picture' : 'New picture',
    type: 'file',
    hint: `PNG, JPEG or WebP, at most ${pictureSideMax} × ${pictureSideMax} pixels and ${pictureBytesMax / 1024} KB. Visible to members of your organizations. Location and date metadata are removed.`,
    accept: pictureMediaTypes,
    problem,
  });
  const remove = form({ action: `${picturePath}/remove`, submit: 'Remove picture', small: true });
  return html`<p>!${personPicture({ name: account.name, pictureId }, 'large')}</p>
    !${pictureId === null ? '' : remove}
    !${form({ action: picturePath, submit: 'Save picture', fields, multipart: true })}`;
}
