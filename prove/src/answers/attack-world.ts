import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { systemClock } from '../../../apps/server/src/foundation/clock.ts';
import type { AccountsStage, StageAnswer } from '../../../apps/server/test/accounts-stage.ts';
import { grantOf, send } from '../../../apps/server/test/accounts-stage.ts';
import { createRecordFactory } from '../../../apps/server/test/factories/record-factory.ts';
import type { ScriptedAnswers } from './five-models.ts';

export interface PublishedText {
  readonly title: string;
  readonly summary: string;
}

/** An organization on one process whose agents use a scripted model. */
export class AttackWorld {
  readonly stage: AccountsStage;
  /** By the id of the item. */
  readonly published = new Map<string, PublishedText>();
  readonly #record: ReturnType<typeof createRecordFactory>;
  readonly #folder: string;
  readonly #port: number;
  readonly #member: { readonly key: string; readonly headers: Readonly<Record<string, string>> };

  private constructor(
    stage: AccountsStage,
    folder: string,
    port: number,
    member: { readonly key: string; readonly headers: Readonly<Record<string, string>> },
  ) {
    [this.stage, this.#folder, this.#port, this.#member] = [stage, folder, port, member];
    this.#record = createRecordFactory({ database: stage.identity.database, clock: systemClock });
  }

  static async open(stage: AccountsStage, { server }: ScriptedAnswers, apiKey: string): Promise<AttackWorld> {
    const folder = await mkdtemp(join(tmpdir(), 'daybook-models-'));
    const file = join(folder, 'models.json');
    const provider = { name: 'default', url: server.url, model: 'scripted', apiKey };
    await writeFile(file, JSON.stringify({ providers: [provider] }), { mode: 0o600 });
    const settings = { DAYBOOK_AGENT_MODELS_FILE: file, DAYBOOK_LOG_LEVEL: 'error' };
    const { port } = await stage.start({ settings, signInsUnlimited: true });
    const [account] = await stage.createAccounts(1);
    const signedIn = await send(port, '/api/auth/token', { json: grantOf(account) });
    const { access_token } = signedIn.json<{ access_token: string }>();
    const key = account?.email.replace(/@.*/u, '') ?? '';
    return new AttackWorld(stage, folder, port, {
      key,
      headers: { authorization: `Bearer ${access_token}` },
    });
  }

  send(method: string, path: string, json?: unknown): Promise<StageAnswer> {
    const { key, headers } = this.#member;
    const address = `/dm/api/ai-mentor/orgs/${key}/users/${key}/${path}`;
    return send(this.#port, address, { method, headers, ...(json !== undefined && { json }) });
  }

  async createAgent(settings: object): Promise<string> {
    const made = await this.send('POST', 'mentor-with-settings/', {
      template_name: 'ai-mentor',
      ...settings,
    });
    if (made.status !== 201) throw new Error(made.text);
    return made.json<{ unique_id: string }>().unique_id;
  }

  async publish(text: PublishedText): Promise<void> {
    this.published.set(await this.#record.publish(text), text);
  }

  /** Every row of every table that holds state beside answers and the accounting of calls. */
  async state(): Promise<ReadonlyMap<string, string>> {
    const { pool } = this.stage.superuser;
    const { rows: tables } = await pool.query<{ name: string }>(
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
       WHERE schemaname IN ('agents', 'identity', 'access', 'storage', 'record', 'watch', 'mailing', 'audit')
       ORDER BY 1`,
    );
    const state = new Map<string, string>();
    for (const { name } of tables) {
      const { rows } = await pool.query<{ hash: string }>(
        `SELECT md5(coalesce(string_agg(one::text, '|' ORDER BY one::text), '')) AS hash FROM ${name} AS one`,
      );
      state.set(name, rows[0]?.hash ?? '');
    }
    return state;
  }

  async close(): Promise<void> {
    await rm(this.#folder, { recursive: true });
  }
}
