import { systemClock } from '../../../apps/server/src/foundation/clock.ts';
import type { Id } from '../../../apps/server/src/foundation/ids.ts';
import type { AccountsStage, StageAnswer } from '../../../apps/server/test/accounts-stage.ts';
import { grantOf, send } from '../../../apps/server/test/accounts-stage.ts';
import { createRecordFactory, valueOf } from '../../../apps/server/test/factories/record-factory.ts';
import { pick } from '../permissions/policy-draw.ts';

type Role = 'owner' | 'admin' | 'member' | 'viewer' | 'guest' | 'stranger';

/** A caller with a role in the organization; `changedAt` is when it was last changed. */
export interface Asker {
  readonly username: string;
  readonly headers: Readonly<Record<string, string>>;
  role: Role;
  before: Role;
  changedAt: number;
  readonly answers: { readonly path: string; readonly id: string }[];
}

interface Fact {
  readonly company: string;
  /** Occurs in this item only. */
  readonly mark: string;
  readonly itemId: Id<'item'>;
  withdrawnAt: number | null;
}

interface AgentCase {
  readonly id: string;
  readonly readsRecord: boolean;
}

/** Processes cache permissions for at most so long. */
const knownForMs = 1_000;
const mayAsk: Readonly<Record<Role, number>> = {
  owner: 201,
  admin: 201,
  member: 201,
  viewer: 403,
  guest: 404,
  stranger: 404,
};
const mayRead: Readonly<Record<Role, number>> = {
  ...mayAsk,
  owner: 200,
  admin: 200,
  member: 200,
  viewer: 200,
};

/** An organization with two agents, members of every role, and news that is withdrawn while they ask. */
export class AnswerWorld {
  readonly stage: AccountsStage;
  readonly ports: readonly number[];
  readonly random: () => number;
  readonly faults: string[] = [];
  readonly counts = { asked: 0, quoted: 0, refused: 0, read: 0, withdrawn: 0 };
  readonly askers: Asker[] = [];
  readonly #facts: Fact[] = [];
  readonly #agents: AgentCase[] = [];
  readonly #record: ReturnType<typeof createRecordFactory>;
  #key = '';

  constructor(stage: AccountsStage, ports: readonly number[], random: () => number) {
    [this.stage, this.ports, this.random] = [stage, ports, random];
    this.#record = createRecordFactory({ database: stage.identity.database, clock: systemClock });
  }

  async open(items: number): Promise<void> {
    const roles: readonly Role[] = ['owner', 'admin', 'member', 'member', 'viewer', 'guest', 'stranger'];
    const accounts = await this.stage.createAccounts(roles.length);
    let organizationId = '';
    for (const [at, role] of roles.entries()) {
      const account = accounts[at];
      const signedIn = await send(pick(this.random, this.ports), '/api/auth/token', {
        json: grantOf(account),
      });
      const { access_token, user } = signedIn.json<{
        access_token: string;
        user: { organizationId: string };
      }>();
      const username = account?.email.replace(/@.*/u, '') ?? '';
      if (role === 'owner') [organizationId, this.#key] = [user.organizationId, username];
      else if (role !== 'stranger')
        await this.stage.superuser.pool.query(
          'INSERT INTO identity.organization_membership VALUES ($1, $2, $3, now())',
          [organizationId, account?.id, role],
        );
      const headers = { authorization: `Bearer ${access_token}` };
      this.askers.push({ username, headers, role, before: role, changedAt: 0, answers: [] });
    }
    await this.#createAgents();
    for (let at = 0; at < items; at += 1) await this.#publish(at);
  }

  async #createAgents(): Promise<void> {
    const template = { name: 'no-news', description: '', system_prompt: '', llm_provider: 'default' };
    const json = { ...template, categories: ['writing'], reads_public_record: false };
    await this.#send(this.#owner, 'POST', 'templates/', json);
    for (const [template_name, readsRecord] of [
      ['ai-mentor', true],
      ['no-news', false],
    ] as const) {
      const body = { template_name, new_mentor_name: `Agent ${template_name}` };
      const made = await this.#send(this.#owner, 'POST', 'mentor-with-settings/', body);
      this.#agents.push({ id: made.json<{ unique_id: string }>().unique_id, readsRecord });
    }
  }

  get #owner(): Asker {
    const [owner] = this.askers;
    if (owner === undefined) throw new Error('the world is not open');
    return owner;
  }

  #send(asker: Asker, method: string, path: string, json?: unknown): Promise<StageAnswer> {
    const address = `/dm/api/ai-mentor/orgs/${this.#key}/users/${asker.username}/${path}`;
    const { headers } = asker;
    return send(pick(this.random, this.ports), address, {
      method,
      headers,
      ...(json !== undefined && { json }),
    });
  }

  async #publish(at: number): Promise<void> {
    const company = `${pick(this.random, ['Vel', 'Cor', 'Mar', 'Hol', 'Tin', 'Bra'])}${pick(this.random, ['trane', 'vid', 'row', 'lin', 'dale', 'sten'])}${at}x`;
    const mark = `$${100 + at}.${1 + (at % 9)} million`;
    const itemId = await this.#record.publish({
      title: `${company} reports annual revenue`,
      summary: `${company} reported annual revenue of ${mark} on Thursday.`,
      originalUrl: `https://wire.example/${at}`,
    });
    this.#facts.push({ company, mark, itemId, withdrawnAt: null });
  }

  /** One caller asks an agent about an item, and sometimes reads an earlier answer again. */
  async ask(asker: Asker): Promise<void> {
    const [agent, fact] = [pick(this.random, this.#agents), pick(this.random, this.#facts)];
    const startedAt = performance.now();
    const path = `mentors/${agent.id}/answers/`;
    const json = { question: `What annual revenue did ${fact.company} report?` };
    const answer = await this.#send(asker, 'POST', path, json);
    this.counts.asked += 1;
    this.#expectStatus(asker, answer, mayAsk, startedAt);
    this.#expectReadable(answer, startedAt);
    if (answer.status !== 201) {
      this.counts.refused += 1;
      return;
    }
    const { id, sentences } = answer.json<{ id: string; sentences: object[] }>();
    if (sentences.length > 0) this.counts.quoted += 1;
    if (sentences.length > 0 && !agent.readsRecord) this.faults.push(`${agent.id} does not read the record`);
    asker.answers.push({ path: `${path}${id}/`, id });
    if (this.random() < 0.3) await this.#readAgain(asker);
  }

  async #readAgain(owner: Asker): Promise<void> {
    const { path } = pick(this.random, owner.answers);
    const reader = pick(this.random, this.askers);
    const startedAt = performance.now();
    const answer = await this.#send(reader, 'GET', path);
    this.counts.read += 1;
    this.#expectReadable(answer, startedAt);
    if (reader === owner) this.#expectStatus(reader, answer, mayRead, startedAt);
    else if (answer.status === 200)
      this.faults.push(`${reader.username} reads an answer to ${owner.username}`);
  }

  #expectStatus(
    { role, before, changedAt, username }: Asker,
    { status }: StageAnswer,
    expected: Readonly<Record<Role, number>>,
    startedAt: number,
  ): void {
    const isRecent = startedAt < changedAt + knownForMs;
    if (status === expected[role] || (isRecent && status === expected[before])) return;
    this.faults.push(`${username} (${role}) got ${status}`);
  }

  /** Nothing of an item that was withdrawn before the request. */
  #expectReadable({ text }: StageAnswer, startedAt: number): void {
    for (const { mark, company, withdrawnAt } of this.#facts)
      if (withdrawnAt !== null && withdrawnAt < startedAt && text.includes(mark))
        this.faults.push(`quotes ${company} after its withdrawal`);
  }

  /** Withdraws an item and publishes another, or changes the role of a member. */
  async change(): Promise<void> {
    if (this.random() < 0.5) {
      const fact = pick(this.random, this.#facts);
      if (fact.withdrawnAt !== null) return;
      valueOf(await this.#record.publisher.withdrawItem({ itemId: fact.itemId, reason: 'It is wrong.' }));
      fact.withdrawnAt = performance.now();
      this.counts.withdrawn += 1;
      await this.#publish(this.#facts.length);
      return;
    }
    const asker = pick(
      this.random,
      this.askers.filter(({ role }) => role === 'member' || role === 'viewer'),
    );
    const role = asker.role === 'member' ? 'viewer' : 'member';
    const address = `/dm/api/core/rbac/members/${asker.username}?platform_key=${this.#key}`;
    const { headers } = this.#owner;
    await send(pick(this.random, this.ports), address, { method: 'PATCH', json: { role }, headers });
    Object.assign(asker, { before: asker.role, role, changedAt: performance.now() });
  }
}
