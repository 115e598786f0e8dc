import { randomBytes, randomUUID } from 'node:crypto';

import { systemClock } from '../src/foundation/clock.ts';
import { createIdSource } from '../src/foundation/ids.ts';
import type { SecretBox } from '../src/foundation/secret-box.ts';
import { createSecretBox } from '../src/foundation/secret-box.ts';
import type { AccountId } from '../src/identity/accounts/account.ts';
import { sealPurpose } from '../src/identity/second-factor/use-one-time-code.ts';
import { rotateSigningKeyNow } from '../src/identity/signing-keys/rotate-signing-key.ts';
import type { HubSubscriptionId } from '../src/ingest/hubs/hub-subscription.ts';
import { sealSecret } from '../src/ingest/hubs/subscription-secret.ts';
import { sealAuthorization } from '../src/ingest/sources/source-authorization.ts';
import { addressPurpose, secretPurpose } from '../src/watch/webhooks/webhook.ts';
import type { TestDatabase } from './database.ts';

const hash = (): Buffer => randomBytes(32);

/** Writes values of every encrypted column with this key: `accounts` one-time code secrets, and one of each other kind. */
export async function writeSealedValues(
  { database, asSuperuser }: TestDatabase,
  secretKey: string,
  accounts: number,
): Promise<void> {
  const secretBox = createSecretBox([secretKey]);
  const ids = createIdSource({ clock: systemClock, randomBytes });
  await rotateSigningKeyNow({ database, clock: systemClock, ids, secretBox });
  const [organization] = await asSuperuser(
    `INSERT INTO identity.organization (id, key, name, created_at) VALUES ($1, $2, 'Acme', now()) RETURNING id`,
    [randomUUID(), `acme-${randomUUID().slice(0, 8)}`],
  );
  for (let index = 0; index < accounts; index += 1) {
    const id = randomUUID() as AccountId;
    const name = `a${id.slice(0, 8)}`;
    await asSuperuser(
      `INSERT INTO identity.account (id, username, email, email_normalised, name, organization_id, created_at)
       VALUES ($1, $2, $3, $3, $2, $4, now())`,
      [id, name, `${name}@example.org`, organization?.['id']],
    );
    await asSuperuser(
      'INSERT INTO identity.second_factor (account_id, secret, last_step, created_at) VALUES ($1, $2, 0, now())',
      [id, secretBox.seal(hash(), sealPurpose(id))],
    );
  }
  await writeSourceSecrets(asSuperuser, secretBox);
  await writeWebhookSecrets(asSuperuser, secretBox);
}

/** A webhook of one of the accounts. */
async function writeWebhookSecrets(
  asSuperuser: TestDatabase['asSuperuser'],
  secretBox: SecretBox,
): Promise<void> {
  const [search, webhook] = [randomUUID(), randomUUID()];
  await asSuperuser(
    `INSERT INTO watch.saved_search (id, account_id, name, q, terms, excluded_terms, mode, hidden_sources,
       hidden_categories, sources_min, filed_under, mail, wording, on_front_page, created_at, updated_at)
     SELECT $1, id, 'Models', 'model', '{model}', '{}', 'all', '{}', '{}', 1, 0, 'never', 'en', false, now(), now()
     FROM identity.account LIMIT 1`,
    [search],
  );
  await asSuperuser(
    `INSERT INTO watch.webhook (id, search_id, account_id, format, sealed_address, host, sealed_secret, created_at)
     SELECT $1, id, account_id, 'generic', $3, 'receiver.example', $4, now() FROM watch.saved_search WHERE id = $2`,
    [
      webhook,
      search,
      secretBox.seal(Buffer.from('https://receiver.example/'), addressPurpose(webhook)),
      secretBox.seal(Buffer.from('secret'), secretPurpose(webhook)),
    ],
  );
}

async function writeSourceSecrets(
  asSuperuser: TestDatabase['asSuperuser'],
  secretBox: SecretBox,
): Promise<void> {
  const source = randomUUID();
  const feedUrl = `https://${source}.example/feed`;
  await asSuperuser('INSERT INTO newsroom.domain (name) VALUES ($1)', [source]);
  await asSuperuser(
    `INSERT INTO newsroom.source (id, name, owner, first_party, tier, participation, feed_url, list_form, domain,
       created_at, state, due_at, authorization_sealed)
     VALUES ($1, 'Wire', 'Wire', false, 2, 'editorial', $2, '{"kind":"feed"}', $3, now(), 'active', now(), $4)`,
    [source, feedUrl, source, sealAuthorization(secretBox, feedUrl, 'Bearer secret')],
  );
  const hub = randomUUID() as HubSubscriptionId;
  await asSuperuser(
    `INSERT INTO newsroom.hub_subscription (id, source_id, hub_url, topic, wanted, created_at, next_attempt_at,
       secret_sealed, callback_hash)
     VALUES ($1, $2, 'https://hub.example', $3, 'subscribe', now(), now(), $4, $5)`,
    [hub, source, feedUrl, sealSecret(secretBox, hub, 'secret'), hash()],
  );
}
