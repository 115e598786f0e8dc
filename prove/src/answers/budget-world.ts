import { setTimeout as delay } from 'node:timers/promises';

import type {
  AccountsProcess,
  AccountsStage,
  StageAnswer,
} from '../../../apps/server/test/accounts-stage.ts';
import { grantOf, send } from '../../../apps/server/test/accounts-stage.ts';
import { createTestClock } from '../../../apps/server/test/clock.ts';
import { createRecordFactory } from '../../../apps/server/test/factories/record-factory.ts';
import { pick } from '../permissions/policy-draw.ts';

export const scopes = ['organization', 'agent', 'member'] as const;
export const periods = ['minute', 'day', 'month'] as const;
export const limits = ['tokens', 'cost'] as const;

export type Scope = (typeof scopes)[number];
export type Period = (typeof periods)[number];
export type Limit = (typeof limits)[number];

interface Member {
  readonly id: string;
  readonly email: string;
  readonly password: string;
  readonly username: string;
  headers: Readonly<Record<string, string>>;
}

/** An organization with three members and two agents. */
export interface BudgetedOrganization {
  readonly id: string;
  readonly key: string;
  readonly members: readonly Member[];
  readonly agents: readonly string[];
}

/** A question to an agent; a repetition has the same key. */
export interface Question {
  readonly member: Member;
  readonly agent: string;
  readonly key: string;
}

const companies = ['Veltrane', 'Corvid', 'Marrow', 'Hollin', 'Tindale', 'Brasten'];

/** Three api processes with one clock that the proof moves, and organizations whose agents use a language model. */
export class BudgetWorld {
  readonly stage: AccountsStage;
  readonly random: () => number;
  /** Questions whose connection ended without an answer. */
  cutOff = 0;
  kills = 0;
  readonly #settings: Readonly<Record<string, string>>;
  readonly #clock: ReturnType<typeof createTestClock>;
  readonly #processes: AccountsProcess[] = [];
  readonly #restarts: Promise<void>[] = [];
  readonly #record: ReturnType<typeof createRecordFactory>;

  constructor(
    stage: AccountsStage,
    modelsFile: string,
    { startsAt, random }: { readonly startsAt: string; readonly random: () => number },
  ) {
    [this.stage, this.random] = [stage, random];
    this.#settings = {
      DAYBOOK_AGENT_MODELS_FILE: modelsFile,
      DAYBOOK_CREDENTIAL_RATE_PER_MINUTE: '1000000',
      DAYBOOK_LOG_LEVEL: 'error',
    };
    this.#clock = createTestClock(startsAt);
    this.#record = createRecordFactory({ database: stage.identity.database, clock: this.#clock });
  }

  async open(): Promise<void> {
    await Promise.all([0, 1, 2].map((slot) => this.#start(slot)));
    await this.publish();
  }

  async #start(slot: number): Promise<void> {
    const clockStart = new Date(this.#clock.nowMs()).toISOString();
    const options = { settings: this.#settings, signInsUnlimited: true, clockStart };
    this.#processes[slot] = await this.stage.start(options);
  }

  /** News that the questions are about, of this moment. */
  async publish(): Promise<void> {
    for (const company of companies)
      await this.#record.publish({
        title: `${company} reports third-quarter results`,
        summary: `${company} reported third-quarter revenue of $4.2 billion on Thursday.`,
      });
  }

  /** Ends a process as a crash does, and starts another in its place. */
  kill(slot: number): void {
    this.#processes[slot]?.child.kill('SIGKILL');
    this.kills += 1;
    this.#restarts.push(this.#start(slot));
  }

  async untilRestarted(): Promise<void> {
    await Promise.all(this.#restarts.splice(0));
  }

  get now(): number {
    return this.#clock.nowMs();
  }

  /** Moves the clocks of all processes beyond the end of the period. */
  async renew(period: Period): Promise<void> {
    const at = new Date(this.#clock.nowMs());
    const next = renewalOf(period, at);
    const seconds = Math.ceil((next.getTime() - at.getTime()) / 1_000) + 1;
    this.#clock.advance({ seconds });
    await Promise.all(this.#processes.map((one) => one.ask({ kind: 'advance', seconds })));
    await this.publish();
  }

  async createOrganization(): Promise<BudgetedOrganization> {
    const accounts = await this.stage.createAccounts(3);
    const members = accounts.map((account): Member => ({
      ...account,
      username: account.email.replace(/@.*/u, ''),
      headers: {},
    }));
    const [id = ''] = await Promise.all(members.map((member) => this.signIn(member)));
    const key = members[0]?.username ?? '';
    for (const member of members.slice(1))
      await this.stage.superuser.pool.query(
        `INSERT INTO identity.organization_membership VALUES ($1, $2, 'member', now())`,
        [id, member.id],
      );
    const agents: string[] = [];
    for (const name of ['One', 'Two']) {
      const body = { template_name: 'ai-mentor', new_mentor_name: name };
      const made = await this.#send(key, members[0], 'POST', 'mentor-with-settings/', body);
      agents.push(made.json<{ unique_id: string }>().unique_id);
    }
    return { id, key, members, agents };
  }

  /** Returns the id of the member's own organization. */
  async signIn(member: Member): Promise<string> {
    const signedIn = await send(this.#port(), '/api/auth/token', { json: grantOf(credentialsOf(member)) });
    const { access_token, user } = signedIn.json<{
      access_token: string;
      user: { organizationId: string };
    }>();
    member.headers = { authorization: `Bearer ${access_token}` };
    return user.organizationId;
  }

  async setBudget({ key, members }: BudgetedOrganization, budget: object): Promise<void> {
    const json = { tokens_max: null, cost_max: null, ...budget };
    const answer = await this.#send(key, members[0], 'PUT', 'agent-budgets/', json);
    if (answer.status !== 200) throw new Error(answer.text);
  }

  /** Asks until a process answers: a question that a kill cut off, or that found a process busy, is repeated with its key. */
  async ask({ key }: BudgetedOrganization, question: Question): Promise<StageAnswer> {
    const company = pick(this.random, companies);
    const json = { question: `What third-quarter revenue did ${company} report?` };
    for (;;) {
      try {
        const path = `mentors/${question.agent}/answers/`;
        const answer = await this.#send(key, question.member, 'POST', path, json, question.key);
        if (answer.status !== 503) return answer;
        // Too many questions at once: the search of a process is busy.
        await delay(200);
      } catch (error) {
        const { code } = error as { readonly code?: string };
        if (code !== 'ECONNRESET' && code !== 'ECONNREFUSED' && code !== 'EPIPE') throw error;
        if (code !== 'ECONNREFUSED') this.cutOff += 1;
        await delay(20);
      }
    }
  }

  #send(
    key: string,
    member: Member | undefined,
    method: string,
    path: string,
    json: unknown,
    idempotencyKey?: string,
  ): Promise<StageAnswer> {
    const address = `/dm/api/ai-mentor/orgs/${key}/users/${member?.username}/${path}`;
    const repeatable = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey };
    return send(this.#port(), address, { method, json, headers: { ...member?.headers, ...repeatable } });
  }

  #port(): number {
    return pick(this.random, this.#processes).port;
  }
}

const credentialsOf = ({ email, password }: Member) => ({ email, password });

/** The first moment of the next period of the UTC calendar. */
export function renewalOf(period: Period, at: Date): Date {
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()];
  if (period === 'month') return new Date(Date.UTC(year, month + 1, 1));
  if (period === 'day') return new Date(Date.UTC(year, month, day + 1));
  return new Date(Math.floor(at.getTime() / 60_000) * 60_000 + 60_000);
}
