import { html } from 'ghtml';
import { Type } from 'typebox';

import { closedObject } from '../../../foundation/closed-object.ts';
import { forbidden, notFound } from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import type { Id } from '../../../foundation/ids.ts';
import type { ProblemError } from '../../../foundation/problem.ts';
import { deskActions, requireDesk } from '../../../newsroom/desk/index.ts';
import { field, form } from '../../shell/form-controls.ts';
import type { PersonalPage } from '../console-route.ts';
import { IdParams, defineMemberPage } from '../console-route.ts';
import type { DeskTools, DeskVisit } from './desk-frame.ts';
import {
  deskForm,
  deskPage,
  enterDesk,
  formOf,
  formProperties,
  formState,
  refusalNotice,
  requireDone,
} from './desk-frame.ts';
import { itemPath, requireItem, versionOfItem } from './desk-item.ts';

const WithdrawForm = closedObject({
  ...formProperties,
  reason: Type.Optional(Type.String({ maxLength: 500 })),
});

/** The surfaces are listed before the confirmation. */
export function withdrawPages(tools: DeskTools): readonly RouteDeclaration[] {
  const page = async (visit: DeskVisit, id: string, problem?: ProblemError): Promise<PersonalPage> => {
    const { words } = visit;
    const item = await requireItem(visit, id);
    requireDesk(visit.actor, deskActions.items.withdraw, 'items', id);
    const surfaces = [
      words.item.surfaceLists,
      ...(item.storyTitle === null ? [] : [item.storyTitle]),
      ...item.editions,
    ];
    return deskPage(visit, {
      section: 'items',
      title: words.buttons.withdraw,
      crumbs: [{ href: itemPath(id), label: item.title }],
      main: html`!${refusalNotice(visit, problem)}
        <p><strong>${item.title}</strong></p>
        <p>${words.item.surfaces}</p>
        <ul>
          !${surfaces.map((surface) => html`<li>${surface}</li>`)}
        </ul>
        <p>${words.item.withdrawText}</p>
        !${form({
          action: `${itemPath(id)}/withdraw`,
          submit: words.buttons.withdrawNow,
          dangerous: true,
          fields:
            formState(visit, versionOfItem(item)) +
            field({
              name: 'reason',
              label: words.fields.publicReason,
              maxLength: 500,
              autocomplete: 'off',
              problem,
            }),
        })}`,
    });
  };
  return [
    defineMemberPage(tools, {
      path: '/desk/items/{id}/withdraw',
      operationId: 'showWithdrawal',
      params: IdParams,
      problems: [forbidden, notFound],
      show: async ({ visitor, params }) => page(await enterDesk(tools, visitor), params.id),
    }),
    deskForm(
      tools,
      { path: '/desk/items/{id}/withdraw', operationId: 'withdrawItemOnDesk', body: WithdrawForm },
      async ({ editor, words }, id, body) => {
        const request = { itemId: id as Id<'item'>, reason: (body.reason ?? '').trim(), ...formOf(body) };
        requireDone(words, await editor.withdrawItem(request));
        return { to: '/desk/journal?done=1' };
      },
      (visit, id, _body, problem) => page(visit, id, problem),
    ),
  ];
}
