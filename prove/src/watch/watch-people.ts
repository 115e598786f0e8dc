import { addMs } from '../../../apps/server/src/foundation/instant.ts';
import { parseEmailAddress } from '../../../apps/server/src/foundation/mail/email-address.ts';
import type { AccountId } from '../../../apps/server/src/identity/accounts/account.ts';
import { parseUsername } from '../../../apps/server/src/identity/accounts/account.ts';
import { operatorClient } from '../../../apps/server/src/identity/client.ts';
import {
  endCredentials,
  suspectSince,
} from '../../../apps/server/src/identity/credentials/credential-kind.ts';
import type { SessionId } from '../../../apps/server/src/identity/credentials/session.ts';
import { refreshTokenMs } from '../../../apps/server/src/identity/credentials/session.ts';
import { insertAccountDeletion } from '../../../apps/server/src/identity/deletion/account-deletion-store.ts';
import { deleteDueAccounts } from '../../../apps/server/src/identity/deletion/delete-due-accounts.ts';
import { createAccount } from '../../../apps/server/src/identity/registration/create-account.ts';
import { insertSession } from '../../../apps/server/src/identity/sessions/session-store.ts';
import { categories } from '../../../apps/server/src/record/index.ts';
import { savedSearches, watchMail, webhooks } from '../../../apps/server/src/watch/index.ts';
import { credentialKinds } from '../../../apps/server/src/wiring/credential-kinds.ts';
import {
  deleteAccountContents,
  deleteOrganizationContents,
} from '../../../apps/server/src/wiring/delete-contents.ts';
import { valueOf } from '../../../apps/server/test/factories/record-factory.ts';
import { pick } from '../permissions/policy-draw.ts';
import type { WatchDraw } from './watch-draw.ts';
import type { OracleQuery, WatchOracle } from './watch-oracle.ts';
import type { WatchStage } from './watch-stage.ts';

export interface Person {
  readonly id: AccountId;
  readonly email: string;
  readonly sessionId: SessionId;
  readonly mail: 'never' | 'hourly' | 'daily';
  /** Ended mail or the account, in milliseconds of this machine. */
  endedAt: number | null;
  isDeleted: boolean;
}

/** How a receiver behaves; `private`: the address is one of this machine. */
export type ReceiverKind = 'takes' | 'fails twice' | 'cuts once' | 'redirects' | 'gone' | 'private';

export interface Webhook {
  readonly id: string;
  readonly searchId: string;
  readonly host: string;
  readonly kind: ReceiverKind;
  readonly secret: string;
  readonly createdAt: number;
  endedAt: number | null;
}

export interface Search {
  readonly id: string;
  readonly name: string;
  readonly person: Person;
  deletedAt: number | null;
}

const searchesOfAccount = 10;
const receiverKinds: readonly ReceiverKind[] = [
  'private',
  'fails twice',
  'takes',
  'cuts once',
  'takes',
  'redirects',
  'takes',
  'gone',
  'takes',
  'takes',
];
const receiverKindOf = (number: number): ReceiverKind =>
  receiverKinds[number % receiverKinds.length] ?? 'takes';
const searchesPerWebhook = 12;
const broadWebhooks = 4;
const broad: OracleQuery = {
  q: null,
  without: null,
  mode: 'all',
  category: null,
  source: null,
  language: null,
  hiddenSources: [],
  hiddenCategories: [],
  minSources: 1,
};

/** Accounts with their searches and webhooks: they save, change and end them while news is published. */
export class WatchPeople {
  readonly people: Person[] = [];
  readonly searches = new Map<string, Search>();
  readonly webhooks: Webhook[] = [];
  private acts = 0;
  private readonly stage: WatchStage;
  private readonly oracle: WatchOracle;
  private readonly draw: WatchDraw;
  private readonly sourceIds: readonly string[];

  constructor(stage: WatchStage, oracle: WatchOracle, draw: WatchDraw) {
    this.stage = stage;
    this.oracle = oracle;
    this.draw = draw;
    this.sourceIds = draw.sourceNames.map((name) => stage.factory.source(name).id);
  }

  async join(): Promise<void> {
    const { database, deps } = this.stage;
    const number = this.people.length;
    const [username, email] = [`reader-${number}`, `reader${number}@example.org`];
    const id = await database.transaction().execute((transaction) =>
      createAccount(transaction, deps, {
        username: valueOf(parseUsername(username)),
        email: valueOf(parseEmailAddress(email)),
        name: username,
        passwordHash: null,
        joins: null,
        client: operatorClient,
      }),
    );
    const sessionId = deps.ids.next<'session'>();
    const createdAt = deps.clock.now();
    const session = { id: sessionId, accountId: id, client: operatorClient, secretHash: null, createdAt };
    await insertSession(database, { ...session, expiresAt: addMs(createdAt, refreshTokenMs) });
    const mail = (['hourly', 'never', 'hourly', 'daily', 'never'] as const)[number % 5] ?? 'never';
    this.people.push({ id, email, sessionId, mail, endedAt: null, isDeleted: false });
  }

  /** Searches of an account are saved one after the other; each twelfth has a webhook. */
  async save(): Promise<void> {
    const number = this.searches.size;
    if (number % searchesOfAccount === 0) await this.join();
    const person = this.people[Math.floor(number / searchesOfAccount)];
    if (person === undefined || person.isDeleted) return this.skip(number);
    const hasWebhook = number % searchesPerWebhook === 0;
    const drawn = this.draw.query(this.sourceIds);
    // Few words match anything in a quick run, and each kind of receiver must be tried.
    const isBroad = hasWebhook && this.webhooks.length < broadWebhooks;
    const written = isBroad ? { ...broad, category: pick(this.draw.random, categories) } : drawn;
    const name = `s${number}`;
    const { id } = await savedSearches.createSearch(this.stage.deps, person.id, {
      name,
      query: queryOf(written),
      mail: person.endedAt === null ? person.mail : 'never',
      wording: 'en',
      onFrontPage: false,
    });
    this.oracle.saved(id, written);
    this.searches.set(id, { id, name, person, deletedAt: null });
    if (hasWebhook) await this.addWebhook(id, person);
  }

  /** The account was deleted before all its searches were saved: the number is used up. */
  private skip(number: number): void {
    const [person] = this.people;
    if (person === undefined) throw new Error('no account');
    this.searches.set(`skipped ${number}`, { id: '', name: `s${number}`, person, deletedAt: 0 });
  }

  private async addWebhook(searchId: string, { id: accountId, sessionId }: Person): Promise<void> {
    const number = this.webhooks.length;
    const kind = receiverKindOf(number);
    const host = `w${number}.example`;
    const format = kind === 'private' ? 'generic' : (['generic', 'slack', 'discord'] as const)[number % 3];
    const address = kind === 'private' ? this.privateAddress(number) : `https://${host}/hook`;
    const { webhook, secret } = await webhooks.createWebhook(
      this.stage.deps,
      { accountId, credential: { sessionId }, searchId, client: operatorClient },
      { format: format ?? 'generic', address },
    );
    const createdAt = this.oracle.tick();
    this.webhooks.push({
      id: webhook.id,
      searchId,
      host,
      kind,
      secret: secret ?? '',
      createdAt,
      endedAt: null,
    });
  }

  private privateAddress(number: number): string {
    const addresses = privateAddresses(this.stage.canary.port);
    return addresses[Math.floor(number / receiverKinds.length) % addresses.length] ?? '';
  }

  /** One of the things that people do, by turns, with a search or account at random. */
  async act(): Promise<void> {
    this.acts += 1;
    const standing = [...this.searches.values()].filter(({ deletedAt }) => deletedAt === null);
    const search = standing[this.draw.below(standing.length)];
    if (search === undefined) return;
    const { person } = search;
    const turn = this.acts % 8;
    if (turn === 7) await this.deleteAccount(person);
    else if (turn === 2 || turn === 5) await this.unsubscribe();
    else if (turn === 4) await this.deleteWebhook();
    else if (turn === 1 || turn === 6) await this.delete(search);
    else await this.change(search);
  }

  /** Only searches that nothing is sent of: what was sent belongs to the earlier query. */
  private async change({ id, person }: Search): Promise<void> {
    if (person.mail !== 'never' || this.webhooks.some(({ searchId }) => searchId === id)) return;
    const written = this.draw.query(this.sourceIds);
    await savedSearches.changeSearch(this.stage.deps, person.id, id, { query: queryOf(written) });
    this.oracle.saved(id, written);
  }

  private async delete(search: Search): Promise<void> {
    await savedSearches.removeSearch(this.stage.deps, search.person.id, search.id);
    this.end(search);
  }

  private end(search: Search): void {
    search.deletedAt = Date.now();
    this.oracle.removed(search.id);
    for (const webhook of this.webhooks) {
      if (webhook.searchId === search.id) webhook.endedAt ??= Date.now();
    }
  }

  private async deleteWebhook(): Promise<void> {
    const standing = this.webhooks.filter(({ endedAt }) => endedAt === null);
    const webhook = standing[this.draw.below(standing.length)];
    const accountId = this.searches.get(webhook?.searchId ?? '')?.person.id;
    if (webhook === undefined || accountId === undefined) return;
    await webhooks.deleteWebhook(this.stage.deps, { accountId, client: operatorClient, id: webhook.id });
    webhook.endedAt = Date.now();
  }

  private mailedPersonOf(email: string): Person | undefined {
    return this.people.find((person) => person.email === email && person.endedAt === null);
  }

  /** With the link of a mail that arrived. */
  private async unsubscribe(): Promise<void> {
    const mails = this.stage.mails.filter(({ to }) => this.mailedPersonOf(to) !== undefined);
    const mail = mails[this.draw.below(mails.length)];
    const person = mail === undefined ? undefined : this.mailedPersonOf(mail.to);
    if (mail === undefined || person === undefined) return;
    if (!(await watchMail.unsubscribeFromWatchMail(this.stage.deps, mail.token)))
      throw new Error(`the link of ${mail.messageId} does not work`);
    person.endedAt = Date.now();
  }

  /** Requested, which ends credentials and mail at once; then deleted, as after the grace period. */
  private async deleteAccount(person: Person): Promise<void> {
    if (person.isDeleted) return;
    person.isDeleted = true;
    const { database, deps, clock } = this.stage;
    const now = clock.now();
    await database.transaction().execute(async (transaction) => {
      await insertAccountDeletion(transaction, person.id, now, now);
      await endCredentials(
        transaction,
        { ...deps, credentialKinds },
        {
          accountId: person.id,
          organizationIds: [],
          event: 'deletion',
          client: operatorClient,
          keep: null,
          only: null,
          suspectSince: suspectSince(now),
        },
      );
    });
    person.endedAt ??= Date.now();
    const own = [...this.searches.values()].filter((search) => search.person === person);
    for (const webhook of this.webhooks)
      if (own.some(({ id }) => id === webhook.searchId)) webhook.endedAt ??= Date.now();
    await deleteDueAccounts({ ...deps, deleteAccountContents, deleteOrganizationContents });
    for (const search of own) if (search.deletedAt === null) this.end(search);
  }
}

type SettingsQuery = Parameters<typeof savedSearches.createSearch>[2]['query'];

function queryOf(written: OracleQuery): SettingsQuery {
  const { q, without, category, source, language, hiddenSources, hiddenCategories, ...rest } = written;
  return savedSearches.readQuery({
    ...rest,
    ...(q !== null && { q }),
    ...(without !== null && { without }),
    ...(category !== null && { category: category as never }),
    ...(source !== null && { source }),
    ...(language !== null && { language }),
    hiddenSources: [...hiddenSources],
    hiddenCategories: [...hiddenCategories] as never[],
  });
}

/** Spellings of this machine; the last is a name whose name server answers with a private address. */
export function privateAddresses(port: number): readonly string[] {
  const hosts = ['127.0.0.1', '[::1]', '2130706433', '[::ffff:127.0.0.1]', '0.0.0.0', 'inside.test'];
  return hosts.map((host) => `https://${host}:${port}/hook`);
}
