import { createHmac, randomBytes } from 'node:crypto';

import { invalidField } from '../../foundation/http/http-problems.ts';
import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { isoMilliseconds } from '../../foundation/instant.ts';
import type { accounts } from '../../identity/index.ts';
import type { items } from '../../record/index.ts';
import type { SavedSearchId } from '../searches/saved-search.ts';

export type WebhookId = Id<'webhook'>;

export const webhookFormats = ['generic', 'slack', 'discord'] as const;
export type WebhookFormat = (typeof webhookFormats)[number];

export interface Webhook {
  readonly id: WebhookId;
  readonly searchId: SavedSearchId;
  readonly accountId: accounts.AccountId;
  readonly format: WebhookFormat;
  readonly host: string;
  readonly createdAt: EpochMicroseconds;
  readonly lastDeliveredAt: EpochMicroseconds | null;
  readonly failingSince: EpochMicroseconds | null;
  readonly disabledAt: EpochMicroseconds | null;
}

const addressCharsMax = 2_000;

/** An address that may be posted to; whether it leads to a public host is checked with every connection. */
export function requireWebhookAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isUsable =
    url !== null &&
    text.length <= addressCharsMax &&
    url.protocol === 'https:' &&
    url.hostname !== '' &&
    url.username === '' &&
    url.password === '';
  if (isUsable) return url;
  throw invalidField('address', 'must be an https address without a user name or password');
}

const secretPrefix = 'whsec_';

/** As Standard Webhooks writes secrets. */
export function createWebhookSecret(): string {
  return secretPrefix + randomBytes(32).toString('base64');
}

export interface DeliveredMatch {
  /** The same in every attempt. */
  readonly deliveryId: string;
  readonly matchedAt: EpochMicroseconds;
  readonly search: { readonly id: string; readonly name: string };
  readonly item: items.ItemBody;
}

interface Message {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The request of a delivery. */
export function composeDelivery(
  { format, secret }: { readonly format: WebhookFormat; readonly secret: string | null },
  match: DeliveredMatch,
  now: EpochMicroseconds,
): Message {
  const body = JSON.stringify(bodies[format](match));
  const headers = { 'content-type': 'application/json', 'webhook-id': match.deliveryId };
  if (secret === null) return { headers, body };
  const timestamp = String(now / 1_000_000n);
  const signature = signatureOf(secret, `${match.deliveryId}.${timestamp}.${body}`);
  return {
    headers: { ...headers, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` },
    body,
  };
}

function signatureOf(secret: string, signed: string): string {
  const key = Buffer.from(secret.slice(secretPrefix.length), 'base64');
  return createHmac('sha256', key).update(signed).digest('base64');
}

const bodies: Readonly<Record<WebhookFormat, (match: DeliveredMatch) => object>> = {
  generic: ({ deliveryId: id, matchedAt, search, item }) => ({
    id,
    type: 'match',
    matchedAt: isoMilliseconds(matchedAt),
    search,
    item,
  }),
  slack: ({ search, item }) => {
    const title = `*<${slackAddress(item.links.item)}|${slackText(item.title)}>*`;
    const lines = [title, slackText(`${item.source.name} · ${search.name}`), slackText(item.summary)];
    return {
      text: lines.filter((line) => line !== '').join('\n'),
      unfurl_links: false,
      unfurl_media: false,
    };
  },
  discord: ({ search, item }) => ({
    embeds: [
      {
        title: clipped(discordText(item.title), 256),
        url: item.links.item,
        description: clipped(discordText(item.summary), 2_000),
        footer: { text: clipped(`${item.source.name} · ${search.name}`, 2_000) },
        timestamp: item.publishedAt ?? item.discoveredAt,
      },
    ],
    // A title cannot call members.
    allowed_mentions: { parse: [] },
  }),
};

/** The three characters that Slack's mrkdwn escapes. Without them no text can be a link, a mention or a command. */
function slackText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function slackAddress(address: string): string {
  return slackText(address).replaceAll('|', '%7C');
}

/** Without the characters that Discord's Markdown gives a meaning. */
function discordText(text: string): string {
  return text.replaceAll(/[\\`*_{}[\]()#+\-.!|>~<@:]/gu, '\\$&');
}

function clipped(text: string, charsMax: number): string {
  const characters = Array.from(text);
  return characters.length <= charsMax ? text : `${characters.slice(0, charsMax - 1).join('')}…`;
}

export const addressPurpose = (id: string): string => `webhook address ${id}`;
export const secretPurpose = (id: string): string => `webhook secret ${id}`;
