import { createMailedToken } from '../../../apps/server/src/identity/mail/mailed-token-store.ts';
import type {
  AccountsProcess,
  AccountsStage,
  StageAnswer,
} from '../../../apps/server/test/accounts-stage.ts';
import { grantOf, send } from '../../../apps/server/test/accounts-stage.ts';
import { signInForCookie } from '../permissions/grant-invitations.ts';
import type { MembershipEvent } from './organization-model.ts';
import { OrganizationModel } from './organization-model.ts';

export interface OrganizationClient {
  readonly id: string;
  readonly username: string;
  readonly email: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly cookie: string;
}

type Random = () => number;

const roles = ['owner', 'admin', 'member', 'viewer'] as const;
const rbac = '/dm/api/core/rbac';
const organizationsPath = '/dm/api/core/organizations/';

/** Clients on several processes, the organizations they change, and a model of each. */
export class OrganizationClients {
  readonly clients: readonly OrganizationClient[];
  /** By id; with the key under which clients ask. */
  readonly models = new Map<string, { readonly key: string; readonly model: OrganizationModel }>();
  readonly #stage: AccountsStage;
  readonly #processes: readonly AccountsProcess[];
  readonly #random: Random;
  readonly #links = new Map<string, { readonly token: string; readonly email: string }>();
  #seen = 0;

  private constructor(
    stage: AccountsStage,
    processes: readonly AccountsProcess[],
    random: Random,
    clients: readonly OrganizationClient[],
  ) {
    this.#stage = stage;
    this.#processes = processes;
    this.#random = random;
    this.clients = clients;
  }

  static async open(
    stage: AccountsStage,
    processes: readonly AccountsProcess[],
    random: Random,
    count: number,
  ): Promise<OrganizationClients> {
    const [{ port }] = processes as [AccountsProcess];
    const accounts = await stage.createAccounts(count);
    const clients = await Promise.all(
      accounts.map(async (account): Promise<OrganizationClient & { organizationId: string }> => {
        const { access_token, user } = (
          await send(port, '/api/auth/token', { json: grantOf(account) })
        ).json<{
          access_token: string;
          user: { organizationId: string };
        }>();
        const username = account.email.replace(/@.*/, '');
        const headers = { authorization: `Bearer ${access_token}` };
        const cookie = await signInForCookie(port, account);
        const { id, email } = account;
        return { id, username, email, headers, cookie, organizationId: user.organizationId };
      }),
    );
    const self = new OrganizationClients(stage, processes, random, clients);
    for (const { id, username, organizationId } of clients.slice(0, count / 2))
      self.models.set(organizationId, { key: username, model: new OrganizationModel(id) });
    return self;
  }

  #pick<Value>(values: readonly Value[]): Value {
    return values[Math.floor(this.#random() * values.length)] as Value;
  }

  /** Mostly one that the client manages, so that more is done than refused. */
  #organizationFor({ id }: OrganizationClient) {
    const all = [...this.models];
    const managed = all.filter(([, { model }]) => ['owner', 'admin'].includes(model.roles.get(id) ?? ''));
    return this.#pick(managed.length > 0 && this.#random() < 0.8 ? managed : all);
  }

  /** A random action; many of them are refused. */
  move(client: OrganizationClient): Promise<StageAnswer> {
    const { port } = this.#pick(this.#processes);
    const [id, { key, model }] = this.#organizationFor(client);
    const members = this.clients.filter((one) => model.roles.has(one.id));
    const other = this.#pick(this.#random() < 0.85 ? members : this.clients);
    const { headers } = client;
    const query = `?platform_key=${key}`;
    const member = `${rbac}/members/${other.username}${query}`;
    const ask = (path: string, method: string, json?: unknown): Promise<StageAnswer> =>
      send(port, path, { method, headers, ...(json !== undefined && { json }) });
    const moves: readonly (readonly [weight: number, move: () => Promise<StageAnswer>])[] = [
      [6, () => this.#invite(port, client, key, this.#pick(this.clients))],
      [6, () => this.#accept(port, client)],
      [1, () => ask(`${rbac}/invitations/${this.#invitation()}${query}`, 'DELETE')],
      [2, () => this.#resend(port, client, `${rbac}/invitations/${this.#invitation()}/resend${query}`)],
      [6, () => ask(member, 'PATCH', { role: this.#pick(roles) })],
      [2, () => ask(member, 'DELETE')],
      [1, () => ask(`${rbac}/members/${client.username}${query}`, 'DELETE')],
      [3, () => ask(`${organizationsPath}${key}/switch`, 'POST')],
      [1, () => ask(`${organizationsPath}${key}`, 'PATCH', { name: `Organization ${id.slice(0, 8)}` })],
      [this.models.size < 12 ? 0.3 : 0, () => this.#create(port, client)],
    ];
    let left = this.#random() * moves.reduce((sum, [weight]) => sum + weight, 0);
    const drawn = moves.find(([weight]) => (left -= weight) < 0) ?? moves[0];
    return (drawn as (typeof moves)[number])[1]();
  }

  #invitation(): string {
    return this.#pick([...this.#links.keys(), '018f0000-0000-7000-8000-000000000000']);
  }

  async #invite(
    port: number,
    { headers }: OrganizationClient,
    platform_key: string,
    { email }: OrganizationClient,
  ): Promise<StageAnswer> {
    const json = { platform_key, email, role: this.#pick(roles.slice(1)) };
    return this.#keepLink(await send(port, `${rbac}/invitations/`, { json, headers }));
  }

  async #resend(port: number, { headers }: OrganizationClient, path: string): Promise<StageAnswer> {
    return this.#keepLink(await send(port, path, { method: 'POST', headers }));
  }

  async #keepLink(answer: StageAnswer): Promise<StageAnswer> {
    if (answer.status !== 201) return answer;
    const { id, email } = answer.json<{ id: string; email: string }>();
    const { database, clock } = this.#stage.identity;
    const token = await createMailedToken(database, 'join_organization', id, clock.now());
    this.#links.set(id, { token, email });
    return answer;
  }

  /** Mostly the newest that was sent to the client; now and then one that is used up or for another. */
  #accept(port: number, { cookie, email }: OrganizationClient): Promise<StageAnswer> {
    const links = [...this.#links.values()];
    const own = links.findLast((link) => link.email === email);
    const link = this.#random() < 0.8 ? own : links[Math.floor(this.#random() * links.length)];
    const headers = { 'sec-fetch-site': 'same-origin', cookie };
    return send(port, '/auth/join', { form: { token: link?.token ?? 'none' }, headers });
  }

  async #create(port: number, { id: owner, headers }: OrganizationClient): Promise<StageAnswer> {
    const key = `created-${this.models.size}-${Math.floor(this.#random() * 1e6)}`;
    const json = { platform_key: key, name: 'Created' };
    const answer = await send(port, organizationsPath, { json, headers });
    if (answer.status === 201)
      this.models.set(answer.json<{ id: string }>().id, { key, model: new OrganizationModel(owner) });
    return answer;
  }

  /** Judges what was done since the last time, each organization in its own order. */
  async judge(): Promise<{ readonly judged: number; readonly faults: readonly string[] }> {
    const { pool } = this.#stage.superuser;
    const events = await pool.query<MembershipEvent & { organizationId: string; position: string }>(
      `SELECT organization_id AS "organizationId", (detail->>'version')::int AS version, kind, account_id AS "actorId", detail
       FROM audit.event WHERE organization_id = ANY ($1) AND detail ? 'version' ORDER BY organization_id, version`,
      [[...this.models.keys()]],
    );
    const invited = await pool.query<{ id: string; email: string }>(
      'SELECT id, email FROM identity.invitation',
    );
    const emails = new Map(invited.rows.map(({ id, email }) => [id, email]));
    const fresh = events.rows.filter(
      ({ organizationId, version }) => version > (this.#judged.get(organizationId) ?? 0),
    );
    const faults = fresh.flatMap(({ organizationId, ...event }) => {
      this.#judged.set(organizationId, event.version);
      const found = this.models.get(organizationId)?.model.take(event, (id) => emails.get(id) ?? '') ?? [];
      return found.map((fault) => `${organizationId} ${event.kind}: ${fault}`);
    });
    this.#seen += fresh.length;
    return { judged: this.#seen, faults };
  }

  readonly #judged = new Map<string, number>();

  /** Where the tables are not what the models hold, or an account works where it is no member. */
  async differences(): Promise<readonly string[]> {
    const { pool } = this.#stage.superuser;
    const lines = async (text: string): Promise<Set<string>> =>
      new Set(
        (await pool.query<{ line: string }>(text, [[...this.models.keys()]])).rows.map(({ line }) => line),
      );
    const stored = await lines(`SELECT organization_id || ' ' || account_id || ' ' || role AS line
      FROM identity.organization_membership WHERE organization_id = ANY ($1)
      UNION ALL SELECT organization_id || ' open ' || id FROM identity.invitation
      WHERE organization_id = ANY ($1) AND accepted_at IS NULL AND cancelled_at IS NULL`);
    const modelled = new Set(
      [...this.models].flatMap(([id, { model }]) => [
        ...[...model.roles].map(([account, role]) => `${id} ${account} ${role}`),
        ...[...model.invitations.keys()].map((invitation) => `${id} open ${invitation}`),
      ]),
    );
    const astray = await pool.query<{ line: string }>(
      `SELECT username AS line FROM identity.account WHERE NOT EXISTS (
         SELECT FROM identity.organization_membership AS member
         WHERE member.account_id = account.id AND member.organization_id = account.organization_id)`,
    );
    return [
      ...[...stored.difference(modelled)].map((line) => `stored alone: ${line}`),
      ...[...modelled.difference(stored)].map((line) => `modelled alone: ${line}`),
      ...astray.rows.map(({ line }) => `${line} works where they are no member`),
    ];
  }
}
