import { defineAuditKind, recordAuditEvent } from '../../audit/index.ts';
import type { Database } from '../../foundation/database/database.ts';
import { conflict } from '../../foundation/http/http-problems.ts';
import { isoMilliseconds } from '../../foundation/instant.ts';
import { ProblemError } from '../../foundation/problem.ts';
import type { SealedColumn } from '../../foundation/sealing/sealed-column-store.ts';
import type { SecretBox } from '../../foundation/secret-box.ts';
import type { credentials } from '../../identity/index.ts';
import type { SavedSearchDeps, SearchOwner } from '../searches/save-search.ts';
import { keyIdOf, requireLiveOwner, requireSearch } from '../searches/save-search.ts';
import { deleteWebhooks, insertWebhook, selectWebhooks } from './webhook-store.ts';
import type { Webhook, WebhookFormat } from './webhook.ts';
import { addressPurpose, createWebhookSecret, requireWebhookAddress, secretPurpose } from './webhook.ts';

export const webhookCreated = defineAuditKind(
  'webhook_created',
  (word) => `You created a webhook to ${word('host')}.`,
);
export const webhookDeleted = defineAuditKind(
  'webhook_deleted',
  (word) => `A webhook to ${word('host')} was deleted.`,
);

export interface WebhookDeps extends SavedSearchDeps {
  readonly secretBox: SecretBox;
}

export interface WebhookRequest extends SearchOwner {
  readonly searchId: string;
  readonly client: credentials.Client;
}

/** Of one search. */
const webhooksMax = 5;

/** The secret of a generic webhook is only in the result; the address of another one is its secret. */
export async function createWebhook(
  { database, clock, ids, secretBox }: WebhookDeps,
  { accountId, credential, searchId, client }: WebhookRequest,
  { format, address }: { readonly format: WebhookFormat; readonly address: string },
): Promise<{ readonly webhook: Webhook; readonly secret: string | null }> {
  const url = requireWebhookAddress(address);
  const secret = format === 'generic' ? createWebhookSecret() : null;
  const now = clock.now();
  const webhook = await database.transaction().execute(async (transaction) => {
    // Without its lock, concurrent requests would not count each other's webhooks either.
    await requireLiveOwner(transaction, { accountId, credential }, now);
    const search = await requireSearch({ database: transaction }, accountId, searchId);
    if ((await selectWebhooks(transaction, accountId, search.id)).length >= webhooksMax)
      throw new ProblemError(conflict, `A saved search can have at most ${webhooksMax} webhooks.`);
    const made: Webhook = {
      id: ids.next(),
      searchId: search.id,
      accountId,
      format,
      host: url.host,
      createdAt: now,
      lastDeliveredAt: null,
      failingSince: null,
      disabledAt: null,
    };
    await insertWebhook(transaction, made, {
      address: secretBox.seal(Buffer.from(url.href), addressPurpose(made.id)),
      secret: secret === null ? null : secretBox.seal(Buffer.from(secret), secretPurpose(made.id)),
      viaKeyId: keyIdOf(credential),
    });
    const detail = { webhookId: made.id, host: made.host };
    await recordAuditEvent(transaction, ids, { kind: webhookCreated, at: now, accountId, client, detail });
    return made;
  });
  return { webhook, secret };
}

/** False if the account has no such webhook. */
export async function deleteWebhook(
  deps: Pick<SavedSearchDeps, 'database' | 'clock' | 'ids'>,
  { accountId, client, id }: Pick<WebhookRequest, 'accountId' | 'client'> & { readonly id: string },
): Promise<boolean> {
  return deps.database
    .transaction()
    .execute(
      async (transaction) => (await endWebhooks(transaction, deps, { accountId, client, only: id })) > 0,
    );
}

/** Deletes one or all webhooks of an account, in the caller's transaction; returns how many. */
async function endWebhooks(
  transaction: Database,
  { clock, ids }: Pick<SavedSearchDeps, 'clock' | 'ids'>,
  { accountId, client, only }: Pick<credentials.Ending, 'accountId' | 'client' | 'only'>,
): Promise<number> {
  const deleted = await deleteWebhooks(transaction, accountId, only);
  for (const { id: webhookId, host } of deleted) {
    const event = { kind: webhookDeleted, at: clock.now(), accountId, client, detail: { webhookId, host } };
    await recordAuditEvent(transaction, ids, event);
  }
  return deleted.length;
}

export const webhookKind: credentials.CredentialKind = {
  name: 'webhooks',
  columns: ['watch.webhook.account_id'],
  effects: {
    password_change: { stays: 'Receivers go on; a reset ends them.' },
    password_reset: 'ends',
    email_undo: 'ends',
    end_all: 'ends',
    deletion: 'ends',
    removal_from_organization: { stays: 'A webhook of news belongs to no organization.' },
  },
  list: async (database, { accountId }) =>
    (await selectWebhooks(database, accountId, null)).map(({ id, host, createdAt, lastDeliveredAt }) => ({
      id,
      name: host,
      createdAt: isoMilliseconds(createdAt),
      lastUsedAt: lastDeliveredAt === null ? null : isoMilliseconds(lastDeliveredAt),
      origin: null,
    })),
  end: async (transaction, deps, ending) => {
    await endWebhooks(transaction, deps, ending);
  },
};

/** The encrypted columns of this domain. */
export const sealedColumns: readonly SealedColumn[] = [
  {
    contents: 'addresses of webhooks',
    table: 'watch.webhook',
    key: 'id',
    column: 'sealed_address',
    purposeColumn: 'id',
    purposeOf: addressPurpose,
  },
  {
    contents: 'secrets of webhooks',
    table: 'watch.webhook',
    key: 'id',
    column: 'sealed_secret',
    purposeColumn: 'id',
    purposeOf: secretPurpose,
  },
];
