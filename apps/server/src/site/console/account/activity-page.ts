import { html } from 'ghtml';
import { Type } from 'typebox';

import { readAccountEvents } from '../../../audit/index.ts';
import { closedObject } from '../../../foundation/closed-object.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import { idForm } from '../../../foundation/ids.ts';
import { say, sayHtml } from '../../shell/words/say.ts';
import { wordsOf } from '../../shell/words/words.ts';
import { dataTable } from '../components/data-table.ts';
import { device } from '../components/device.ts';
import { ago } from '../components/moments.ts';
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
      const now = tools.identity.clock.now();
      const { language } = visitor;
      const list = dataTable(language, {
        caption: say('Newest first.'),
        rows: events,
        columns: [
          {
            label: say('Event'),
            place: 'main',
            cell: (event) => html`<span class="name">${activitySentence(event)}</span>`,
          },
          { label: say('From'), place: 'also', cell: ({ address, userAgent }) => device(address, userAgent) },
          { label: say('Time'), place: 'also', cell: ({ createdAt }) => ago(createdAt, now, language) },
        ],
        pagination: {
          hasMore: found.length > rowsMax,
          nextCursor: events.at(-1)?.id ?? null,
          parameter: 'after',
          isFirst: query.after === undefined,
        },
        empty: { icon: 'pulse', title: say('No earlier activity.') },
      });
      return accountPage(visitor, path, {
        title: wordsOf(language).console.account.activity,
        lead: html`!${sayHtml('Sign-ins and account changes. If you don’t recognize an entry, {link}. This signs you out everywhere else.', { link: html`<a href="/account/password">${say('change your password')}</a>` })}`,
        main: list,
      });
    },
  });
}
