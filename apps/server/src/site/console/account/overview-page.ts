import { html } from 'ghtml';
import { Type } from 'typebox';

import { closedObject } from '../../../foundation/closed-object.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import type { ProblemError } from '../../../foundation/problem.ts';
import { useCases } from '../../../identity/index.ts';
import { field, form, notice, problemNotice } from '../../shell/form-controls.ts';
import { say, sayKnown } from '../../shell/words/say.ts';
import { facts } from '../components/parts.ts';
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
        return overviewPage(tools, renamed, { news: say('Name saved.') });
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
    label: say('Name'),
    hint: say('Shown to other members and in invitations.'),
    value: filled ?? account.name,
    maxLength: 100,
    autocomplete: 'name',
    problem,
  });
  return accountPage(visitor, path, {
    title: account.name,
    main: html`!${news === undefined ? '' : notice('good', html`<p>${news}</p>`)} !${problemNotice(problem)}
      !${facts([
        [say('Username'), html`<code>${account.username}</code>`],
        [say('E-mail address'), html`${account.email} · <a href="${emailPath}">${say('Change')}</a>`],
        [say('Organization'), html`<a href="/account/organization">${current?.organizationName ?? ''}</a>`],
        [
          say('Workspaces'),
          html`!${account.workspaces.map(
            ({ workspaceName, role }) =>
              html`<div>${say('{workspaceName}, as {role}', { workspaceName, role: sayKnown(role) })}</div>`,
          )}`,
        ],
      ])}
      !${form({ action: path, submit: say('Save name'), fields: name })}
      <h2>${say('Picture')}</h2>
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
    label: pictureId === null ? say('Picture') : say('New picture'),
    type: 'file',
    hint: say(
      'PNG, JPEG or WebP, at most {side} × {side} pixels and {size} KB. Visible to members of your organizations. Location and date metadata are removed.',
      { side: String(pictureSideMax), size: pictureBytesMax / 1024 },
    ),
    accept: pictureMediaTypes,
    problem,
  });
  const remove = form({ action: `${picturePath}/remove`, submit: say('Remove picture'), small: true });
  return html`<p>!${personPicture({ name: account.name, pictureId }, 'large')}</p>
    !${pictureId === null ? '' : remove}
    !${form({ action: picturePath, submit: say('Save picture'), fields, multipart: true })}`;
}
