import { html } from 'ghtml';
import { Type } from 'typebox';

import { closedObject } from '../../../foundation/closed-object.ts';
import { conflict, notFound } from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import { idForm } from '../../../foundation/ids.ts';
import type { credentials } from '../../../identity/index.ts';
import { privateFeeds, webhooks } from '../../../watch/index.ts';
import { notice, shownOnce } from '../../shell/form-controls.ts';
import { say, sayHtml } from '../../shell/words/say.ts';
import { defineMemberForm } from '../console-route.ts';
import type { Visitor } from '../visitor.ts';
import { showSearch } from './search-page.ts';
import type { WatchTools } from './watch-frame.ts';
import { SearchParams, searchPagePath } from './watch-frame.ts';

const WebhookForm = closedObject({
  format: Type.Enum([...webhooks.webhookFormats]),
  address: Type.String({ maxLength: 2_000 }),
});
const WebhookParams = Type.Object({
  ...SearchParams.properties,
  webhook: Type.String({ pattern: idForm.source }),
});

/** Creates and deletes the feed address and the webhooks of a search. */
export function deliveryForms(tools: WatchTools): readonly RouteDeclaration[] {
  return [...feedForms(tools), ...webhookForms(tools)];
}

function feedForms(tools: WatchTools): readonly RouteDeclaration[] {
  const { watch } = tools;
  const one = { params: SearchParams, problems: [notFound] };
  const path = `${searchPagePath('{id}')}/feed`;
  const requestOf = (visitor: Visitor, searchId: string, client: credentials.Client) => ({
    accountId: visitor.account.id,
    credential: { sessionId: visitor.sessionId },
    searchId,
    client,
  });
  return [
    defineMemberForm(tools, {
      ...one,
      path,
      operationId: 'createFeedAddressOnPage',
      show: async ({ visitor, params, client }) => {
        const secret = await privateFeeds.createFeedAddress(watch, requestOf(visitor, params.id, client));
        const { atom } = privateFeeds.feedAddressesOf(watch.baseUrl, secret);
        const news = notice(
          'good',
          shownOnce(
            say('Private feed address'),
            atom,
            2,
            say(
              'Add this address to your feed reader. Anyone with the address can read the feed. The address will not be shown again. For RSS or JSON Feed, replace .atom with .rss or .json.',
            ),
          ),
        );
        return showSearch(tools, visitor, params.id, { news });
      },
    }),
    defineMemberForm(tools, {
      ...one,
      path: `${path}/delete`,
      operationId: 'deleteFeedAddressOnPage',
      show: async ({ visitor, params, client }) => {
        await privateFeeds.deleteFeedAddress(watch, requestOf(visitor, params.id, client));
        return { to: searchPagePath(params.id) };
      },
    }),
  ];
}

function webhookForms(tools: WatchTools): readonly RouteDeclaration[] {
  const { watch } = tools;
  const path = `${searchPagePath('{id}')}/webhooks`;
  return [
    defineMemberForm(tools, {
      path,
      operationId: 'createWebhookOnPage',
      params: SearchParams,
      body: WebhookForm,
      problems: [notFound, conflict],
      show: async ({ visitor, params, body, client }) => {
        const request = {
          accountId: visitor.account.id,
          credential: { sessionId: visitor.sessionId },
          searchId: params.id,
          client,
        };
        const { webhook, secret } = await webhooks.createWebhook(watch, request, body);
        const news = notice(
          'good',
          html`<p>
              !${sayHtml('The webhook to {strong} is active.', { strong: html`<strong>${webhook.host}</strong>` })}
            </p>
            !${secret === null ? '' : shownOnce(say('Secret that signs deliveries'), secret, 2)}`,
        );
        return showSearch(tools, visitor, params.id, { news });
      },
      refused: async ({ visitor, params }, problem) => showSearch(tools, visitor, params.id, { problem }),
    }),
    defineMemberForm(tools, {
      path: `${path}/{webhook}/delete`,
      operationId: 'deleteWebhookOnPage',
      params: WebhookParams,
      problems: [notFound],
      show: async ({ visitor, params, client }) => {
        await webhooks.deleteWebhook(watch, { accountId: visitor.account.id, client, id: params.webhook });
        return { to: searchPagePath(params.id) };
      },
    }),
  ];
}
