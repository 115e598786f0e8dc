import { html } from 'ghtml';

import type { savedSearches } from '../../../watch/index.ts';
import { privateFeeds, webhooks } from '../../../watch/index.ts';
import { confirmedForm, field, form, select } from '../../shell/form-controls.ts';
import { say } from '../../shell/words/say.ts';
import { ago } from '../components/moments.ts';
import { badge, card, rows } from '../components/parts.ts';
import type { Visitor } from '../visitor.ts';
import type { WatchTools } from './watch-frame.ts';
import { searchPagePath } from './watch-frame.ts';

/** The feed and the webhooks of a search. */
export async function deliverySections(
  tools: WatchTools,
  visitor: Visitor,
  search: savedSearches.SavedSearch,
): Promise<string> {
  return (await feedCard(tools, visitor, search)) + (await webhookCard(tools, visitor, search));
}

async function feedCard(
  { watch, identity }: WatchTools,
  { account, language }: Visitor,
  { id }: savedSearches.SavedSearch,
): Promise<string> {
  const addresses = await privateFeeds.selectFeedAddresses(watch.database, account.id);
  const address = addresses.find(({ searchId }) => searchId === id);
  const path = `${searchPagePath(id)}/feed`;
  const create = form({
    action: path,
    submit: address === undefined ? say('Create feed address') : say('Replace feed address'),
    small: true,
  });
  const now = identity.clock.now();
  const content =
    address === undefined
      ? create
      : html`<p>
            ${say('This feed has a private address.')} ${say('Created')}:
            !${ago(address.createdAt, now, language)}. ${say('Last used')}:
            !${ago(address.lastUsedAt, now, language)}.
          </p>
          <div class="cluster">
            !${create}
            !${confirmedForm(say('Delete feed address'), {
              action: `${path}/delete`,
              submit: say('Delete feed address'),
              small: true,
              dangerous: true,
            })}
          </div>`;
  return card({
    title: say('Private feed'),
    text: say('For feed readers. The address is a secret.'),
    content,
    isPadded: true,
  });
}

async function webhookCard(
  { watch, identity }: WatchTools,
  { account, language }: Visitor,
  search: savedSearches.SavedSearch,
): Promise<string> {
  const found = await webhooks.selectWebhooks(watch.database, account.id, search.id);
  const now = identity.clock.now();
  const path = `${searchPagePath(search.id)}/webhooks`;
  const formatLabels = { generic: say('Signed JSON'), slack: 'Slack', discord: 'Discord' } as const;
  const list = rows(
    found.map((webhook) => ({
      icon: 'link' as const,
      title: webhook.host,
      text: html`${formatLabels[webhook.format]} · ${say('Last delivery')}:
      !${ago(webhook.lastDeliveredAt, now, language)}`,
      end: html`!${webhookState(webhook)}
      !${confirmedForm(say('Delete'), {
        action: `${path}/${webhook.id}/delete`,
        submit: say('Delete webhook to {host}', { host: webhook.host }),
        small: true,
        dangerous: true,
      })}`,
    })),
  );
  const create = form({
    action: path,
    submit: say('Create webhook'),
    fields: [
      select({
        name: 'format',
        label: say('Format'),
        options: webhooks.webhookFormats.map((value) => ({ value, label: formatLabels[value] })),
        chosen: ['generic'],
      }),
      field({
        name: 'address',
        label: say('Address'),
        hint: say('An https address on the public internet.'),
        maxLength: 2_000,
        autocomplete: 'off',
      }),
    ].join(''),
  });
  return card({
    title: say('Webhooks'),
    text: say('Each new match is sent to these addresses.'),
    content: html`!${found.length === 0 ? '' : list}
      <details class="in">
        <summary>${say('Create webhook')}</summary>
        !${create}
      </details>`,
  });
}

function webhookState({ disabledAt, failingSince }: webhooks.Webhook): string {
  if (disabledAt !== null) return badge('bad', say('Disabled'));
  return failingSince === null ? '' : badge('warn', say('Failing'));
}
