import type {
  AccountsProcess,
  AccountsStage,
  StageAnswer,
} from '../../../apps/server/test/accounts-stage.ts';
import { grantOf, send } from '../../../apps/server/test/accounts-stage.ts';
import type { GrantMove } from './grant-draw.ts';
import { GrantDraw } from './grant-draw.ts';
import { GrantInvitations, signInForCookie } from './grant-invitations.ts';
import type { GrantActor, GrantMode, GrantRole } from './grant-world.ts';
import { GrantWorld } from './grant-world.ts';
import type { Random } from './policy-draw.ts';

const tokensPath = '/dm/api/core/platform/api-tokens/';
const privileges = {
  actions: [
    'Daybook.Core/ApiTokens/*',
    'Daybook.Core/ApiTokens/*/write',
    'Daybook.Core/Policies/*',
    'Daybook.Core/Groups/*',
    'Daybook.Core/Members/*',
  ],
};

const membersAtFirst = 5;
/** Who can come in by invitation alone. */
const outsideAtFirst = 3;

/** One organization on real processes, beside the model that follows it. */
export class GrantStage {
  readonly world: GrantWorld;
  readonly draw: GrantDraw;
  readonly #stage: AccountsStage;
  readonly #processes: readonly AccountsProcess[];
  readonly #organizationId: string;
  readonly #invitations: GrantInvitations;

  private constructor(
    stage: AccountsStage,
    processes: readonly AccountsProcess[],
    organizationId: string,
    world: GrantWorld,
    draw: GrantDraw,
  ) {
    this.#stage = stage;
    this.#processes = processes;
    this.#organizationId = organizationId;
    this.#invitations = new GrantInvitations(stage);
    this.world = world;
    this.draw = draw;
  }

  static async open(
    stage: AccountsStage,
    processes: readonly AccountsProcess[],
    random: Random,
  ): Promise<GrantStage> {
    const [first] = processes as [AccountsProcess];
    const accounts = await stage.createAccounts(membersAtFirst + outsideAtFirst);
    const signedIn = await Promise.all(
      accounts.map(async (account): Promise<GrantActor & { organizationId: string }> => {
        const answer = await send(first.port, '/api/auth/token', { json: grantOf(account) });
        const { access_token, user } = answer.json<{
          access_token: string;
          user: { organizationId: string };
        }>();
        const name = account.email.replace(/@.*/, '');
        const headers = { authorization: `Bearer ${access_token}` };
        const cookie = await signInForCookie(first.port, account);
        return { name, kind: 'member', headers, cookie, organizationId: user.organizationId };
      }),
    );
    const [owner, ...others] = signedIn.slice(0, membersAtFirst) as [
      (typeof signedIn)[0],
      ...typeof signedIn,
    ];
    const world = new GrantWorld(owner.name);
    world.roles.set(owner.name, 'owner');
    for (const [index, { name }] of others.entries()) {
      const role: GrantRole = index < 2 ? 'admin' : 'member';
      world.roles.set(name, role);
      await stage.superuser.pool.query(
        `INSERT INTO identity.organization_membership
         SELECT $1, id, $3, now() FROM identity.account WHERE username = $2`,
        [owner.organizationId, name, role],
      );
    }
    const actors: GrantActor[] = [...signedIn];
    const draw = new GrantDraw(random, world, actors);
    const self = new GrantStage(stage, processes, owner.organizationId, world, draw);
    actors.push(...(await self.#furnish(owner, others)));
    return self;
  }

  /** All members may try all actions; only their permissions differ. */
  async #furnish(owner: GrantActor, others: readonly GrantActor[]): Promise<readonly GrantActor[]> {
    const { world } = this;
    const resources = [world.path('**')];
    const texts = [{ ...privileges, resources }, ...Array.from({ length: 5 }, () => this.draw.text())];
    for (const [index, text] of texts.entries()) {
      const json = { platform_key: world.key, name: `policy ${index}`, ...text };
      const answer = await this.#post('/dm/api/core/rbac/policies/', owner, json);
      world.policies.set(answer.json<{ id: number }>().id, text);
    }
    for (const [index, policies] of [[1], [2], [], []].entries()) {
      const users = index === 0 ? others.map(({ name }) => name) : [];
      const json = {
        platform_key: world.key,
        name: `group ${index}`,
        policies_to_add: policies,
        users_to_add: users,
      };
      const { id } = (await this.#post('/dm/api/core/rbac/groups/', owner, json)).json<{ id: number }>();
      world.groups.set(id, { users: new Set(users), policies: new Set(policies) });
    }
    const makers = [owner, ...others.slice(0, 2)];
    const speaking: GrantActor[] = [];
    for (const [index, maker] of makers.entries()) {
      const mode: GrantMode = index === 0 ? 'token_policies' : 'owner';
      const policies = mode === 'owner' ? [] : [1, 3];
      const name = `first-${index}`;
      const answer = await this.#post(tokensPath, maker, this.#tokenBody(maker.name, name, mode, policies));
      const { key } = answer.json<{ key: string }>();
      world.tokens.set(name, { creator: maker.name, mode, policies: new Set(policies), groups: new Set() });
      speaking.push({ name, kind: 'token', headers: { authorization: `Api-Token ${key}` } });
    }
    return speaking;
  }

  async #post(path: string, { headers }: GrantActor, json: unknown): Promise<StageAnswer> {
    const answer = await send((this.#processes[0] as AccountsProcess).port, path, { json, headers });
    if (answer.status !== 201) throw new Error(answer.text);
    return answer;
  }

  #tokenBody(username: string, name: string, mode: GrantMode | undefined, policies: readonly number[]) {
    return {
      username,
      name,
      platform_key: this.world.key,
      created: new Date().toISOString(),
      expires: '',
      mode,
      policies_to_add: policies,
    };
  }

  /** Sends a request to one of the processes; the audit log of the action contains the mark. */
  send({ actor, step }: GrantMove, mark: string, index: number): Promise<StageAnswer> {
    const { port } = this.#processes[index % this.#processes.length] as AccountsProcess;
    const headers = { ...actor.headers, 'user-agent': mark };
    const query = `?platform_key=${this.world.key}`;
    if (step.kind === 'invite') return this.#invite(port, step, mark, headers);
    if (step.kind === 'accept') return this.#invitations.accept(port, actor, step, mark);
    if (step.kind === 'cancel' || step.kind === 'remove') {
      const place =
        step.kind === 'remove'
          ? `members/${step.username}`
          : `invitations/${this.#invitations.idOf(step.invitation)}`;
      return send(port, `/dm/api/core/rbac/${place}${query}`, { method: 'DELETE', headers });
    }
    const patch = (path: string, json: unknown): Promise<StageAnswer> =>
      send(port, `${path}${query}`, { method: 'PATCH', json, headers });
    if (step.kind === 'policy') return patch(`/dm/api/core/rbac/policies/${step.id}`, step.text);
    if (step.kind === 'role') return patch(`/dm/api/core/rbac/members/${step.username}`, { role: step.role });
    if (step.kind === 'group') {
      const { kind: _kind, id, ...json } = step;
      return patch(`/dm/api/core/rbac/groups/${id}`, json);
    }
    const { kind, name, ...json } = step;
    if (kind === 'token') return patch(`${tokensPath}${name}`, json);
    const maker = actor.kind === 'member' ? actor.name : (this.world.tokens.get(actor.name)?.creator ?? '');
    const body = this.#tokenBody(maker, name, step.mode, step.policies_to_add);
    return send(port, tokensPath, { json: body, headers });
  }

  async #invite(
    port: number,
    { email, role }: Extract<GrantMove['step'], { kind: 'invite' }>,
    mark: string,
    headers: Readonly<Record<string, string>>,
  ): Promise<StageAnswer> {
    const json = { platform_key: this.world.key, email, role };
    const answer = await send(port, '/dm/api/core/rbac/invitations/', { json, headers });
    if (answer.status === 201) await this.#invitations.sent(mark, answer.json<{ id: string }>().id);
    return answer;
  }

  /** The marks of what was done, in the order in which it was. */
  async order(marks: readonly string[]): Promise<readonly { mark: string; version: number }[]> {
    const { rows } = await this.#stage.superuser.pool.query<{ mark: string; version: number }>(
      `SELECT user_agent AS mark, (detail->>'version')::int AS version FROM audit.event
       WHERE organization_id = $1 AND user_agent = ANY ($2) AND detail ? 'version' ORDER BY version`,
      [this.#organizationId, marks],
    );
    return rows;
  }

  /** Whether the tables hold what the model does: a model that has lost its way proves nothing. */
  async differences(): Promise<readonly string[]> {
    const { pool } = this.#stage.superuser;
    const read = async (text: string): Promise<string[]> =>
      (await pool.query<{ line: string }>(text, [this.#organizationId])).rows.map(({ line }) => line).sort();
    const { policies, groups, tokens, roles, invitations } = this.world;
    const marks = this.#invitations.marksById();
    const open = await read(`SELECT id::text AS line FROM identity.invitation
      WHERE organization_id = $1 AND accepted_at IS NULL AND cancelled_at IS NULL`);
    const lines = <Key, Value>(map: Map<Key, Value>, write: (key: Key, value: Value) => string[]): string[] =>
      [...map].flatMap(([key, value]) => write(key, value)).sort();
    const each = (name: string | number, ids: Iterable<string | number>): string[] =>
      [...ids].map((id) => `${name} ${id}`);
    const compared: readonly (readonly [string[], string[]])[] = [
      [
        await read(`SELECT id || ' ' || array_to_string(actions || resources, ' ') AS line
          FROM access.policy WHERE organization_id = $1`),
        lines(policies, (id, text) => [[id, ...text.actions, ...text.resources].join(' ')]),
      ],
      [
        await read(
          `SELECT group_id || ' ' || policy_id AS line FROM access.group_policy WHERE organization_id = $1`,
        ),
        lines(groups, (id, group) => each(id, group.policies)),
      ],
      [
        await read(`SELECT group_id || ' ' || username AS line FROM access.group_user
          JOIN identity.account ON id = account_id WHERE group_user.organization_id = $1`),
        lines(groups, (id, group) => each(id, group.users)),
      ],
      [
        await read(
          `SELECT name || ' ' || mode AS line FROM access.platform_token WHERE organization_id = $1`,
        ),
        lines(tokens, (name, { mode }) => [`${name} ${mode}`]),
      ],
      [
        await read(`SELECT name || ' ' || policy_id AS line FROM access.token_policy AS one
          JOIN access.platform_token AS token ON token.id = token_id WHERE one.organization_id = $1`),
        lines(tokens, (name, token) => each(name, token.policies)),
      ],
      [
        await read(`SELECT username || ' ' || role AS line FROM identity.organization_membership AS member
          JOIN identity.account ON id = account_id WHERE member.organization_id = $1`),
        lines(roles, (name, role) => [`${name} ${role}`]),
      ],
      [
        open.map((id) => `invitation ${marks.get(id)}`).sort(),
        lines(invitations, (mark, { state }) => (state === 'open' ? [`invitation ${mark}`] : [])),
      ],
    ];
    return compared.flatMap(([stored, modelled]) => [
      ...stored.filter((line) => !modelled.includes(line)).map((line) => `stored alone: ${line}`),
      ...modelled.filter((line) => !stored.includes(line)).map((line) => `modelled alone: ${line}`),
    ]);
  }
}
