import { html } from 'ghtml';
import { Type } from 'typebox';

import { readAccountEvents } from '../../../audit/index.ts';
import { closedObject } from '../../../foundation/closed-object.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import { idForm } from '../../../foundation/ids.ts';
import { isoMilliseconds } from '../../../foundation/instant.ts';
import { client, instant, table } from '../../shell/form-controls.ts';
import type { PersonalTools } from '../console-route.ts';
import { defineMemberPage } from '../console-route.ts';
import { accountPage } from './account-frame.ts';
import { activitySentence } from './activity-sentences.ts';

const path = '/account/activity';
const rowsMax = 25;
const ActivityQuery = closedObject({ after: Type.Optional(Type.String({ pattern: idForm.source })) });

/** The audit log of an account, for its owner. */
export function activityPage(tools: PersonalTools): RouteDeclaration {
  const { database } = tools.identity;
  return defineMemberPage(tools, {
    path,
    operationId: 'showActivity',
    query: ActivityQuery,
    show: async ({ visitor, query }) => {
      const found = await readAccountEvents(database, visitor.account.id, {
        limit: rowsMax + 1,
        ...(query.after !== undefined && { after: query.after }),
      });
      const events = found.slice(0, rowsMax);
      const rows = events.map((event) => [
        instant(isoMilliseconds(event.createdAt)),
        html`${activitySentence(event)}`,
        client(event.address, event.userAgent),
      ]);
      const older =
        found.length > rowsMax ? html`<a href="${path}?after=${events.at(-1)?.id ?? ''}">Older</a>` : '';
      const newest = query.after === undefined ? '' : html`<a href="${path}">Newest</a>`;
      const pager =
        newest + older === ''
          ? ''
          : html`<nav class="pager" aria-label="Pages of activity">!${newest} !${older}</nav>`;
      return accountPage(tools, visitor, path, {
        title: 'Activity',
        main: html`<p>
            Sign-ins and changes of your account. If you don’t recognize an entry,
            <a href="/account/password">change your password</a>. This signs you out everywhere else.
          </p>
          !${table({ caption: 'Newest first.', columns: ['Time', 'Event', 'From'], rows, empty: 'No earlier activity.' })}
          !${pager}`,
      });
    },
  });
}
