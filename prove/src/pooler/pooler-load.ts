import { setTimeout as delay } from 'node:timers/promises';

import { grantOf, send } from '../../../apps/server/test/accounts-stage.ts';
import { valueOf } from '../../../apps/server/test/factories/record-factory.ts';
import type { RevocationOutcome } from '../http/revocation-watch.ts';
import { watchRevocation } from '../http/revocation-watch.ts';
import { requestOnce } from '../news/http-question.ts';
import type { PoolerStage } from './pooler-stage.ts';

export interface LoadOutcome {
  readonly newsAnswers: number;
  readonly published: number;
  readonly joined: number;
  readonly signIns: number;
  readonly revocations: readonly RevocationOutcome[];
  /** Messages of all unexpected results. */
  readonly failures: readonly string[];
}

const password = 'correct horse battery';
const fromOwnPage = { 'sec-fetch-site': 'same-origin' };

/** Readers, newcomers, sign-ins, revocations and a writer at once, over all processes, until it is enough. */
export async function runLoad(stage: PoolerStage, enough: AbortSignal): Promise<LoadOutcome> {
  const failures: string[] = [];
  const counts = { newsAnswers: 0, published: 0, joined: 0, signIns: 0 };
  const revocations: RevocationOutcome[] = [];
  const ports = stage.apis.map(({ port }) => port);
  const portAt = (turn: number): number => ports[turn % ports.length] ?? 0;
  const repeat = async (from: number, by: number, act: (turn: number) => Promise<void>): Promise<void> => {
    for (let turn = from; !enough.aborted; turn += by) {
      await act(turn).catch((error: unknown) => failures.push(String(error)));
    }
  };
  const read = async (turn: number): Promise<void> => {
    const path = newsPath(turn);
    const { status, text } = await requestOnce(portAt(turn), path);
    if (status !== 200) throw new Error(`GET ${path}: ${status} ${text}`);
    counts.newsAnswers += 1;
  };
  const join = async (turn: number): Promise<void> => {
    const account = await joinAndConfirm(stage, turn, portAt);
    counts.joined += 1;
    const { access_token } = await signIn(portAt(turn + 2), account);
    counts.signIns += 1;
    revocations.push(await revokeKey(ports, portAt(turn + 3), access_token));
  };
  const publish = async (turn: number): Promise<void> => {
    const itemId = await stage.factory.publishSelected({ title: `Published through the pooler ${turn}` });
    if (turn % 3 === 0) valueOf(await stage.factory.publisher.withdrawItem({ itemId }));
    counts.published += 1;
    await delay(50);
  };
  const [readers, newcomers] = [6, 3];
  await Promise.all([
    ...Array.from({ length: readers }, (_, index) => repeat(index, readers, read)),
    ...Array.from({ length: newcomers }, (_, index) => repeat(index, newcomers, join)),
    repeat(0, 1, publish),
  ]);
  return { ...counts, revocations, failures };
}

/** Mostly requests that no process has cached. */
function newsPath(turn: number): string {
  const paths = [
    `/api/v1/items?mode=all&limit=${1 + (turn % 100)}`,
    `/api/v1/items?mode=all&q=model+${turn}`,
    `/api/v1/items?q=${encodeURIComponent('模型')}&limit=${1 + (turn % 100)}`,
    '/api/v1/hot-topics',
    '/api/v1/dailies/latest',
    '/api/v1/selected/snapshot',
  ];
  return paths[turn % paths.length] ?? '';
}

interface Account {
  readonly email: string;
  readonly password: string;
}

/** The whole way: the form, the mail that a worker sends, the link in it, each at another process. */
async function joinAndConfirm(
  stage: PoolerStage,
  turn: number,
  portAt: (turn: number) => number,
): Promise<Account> {
  const email = `newcomer-${turn}@example.org`;
  const fields = { username: `newcomer-${turn}`, name: `Newcomer ${turn}`, email, password };
  await sendForm(portAt(turn), '/auth/signup', fields);
  const token = await stage.mailedToken(email);
  await sendForm(portAt(turn + 1), '/auth/confirm', { token });
  return { email, password };
}

async function sendForm(port: number, path: string, form: Readonly<Record<string, string>>): Promise<void> {
  const { status, text } = await send(port, path, { form, headers: fromOwnPage });
  if (status >= 400) throw new Error(`POST ${path}: ${status} ${text.slice(0, 300)}`);
}

async function signIn(port: number, account: Account): Promise<{ readonly access_token: string }> {
  const answer = await send(port, '/api/auth/token', { json: grantOf(account) });
  if (answer.status !== 200) throw new Error(`POST /api/auth/token: ${answer.status} ${answer.text}`);
  return answer.json<{ access_token: string }>();
}

/** Made and revoked at one process, used at all. */
async function revokeKey(
  ports: readonly number[],
  port: number,
  accessToken: string,
): Promise<RevocationOutcome> {
  const owner = { authorization: `Bearer ${accessToken}` };
  const made = await send(port, '/api/v1/api-keys', { json: { name: 'prove' }, headers: owner });
  if (made.status !== 201) throw new Error(`POST /api/v1/api-keys: ${made.status} ${made.text}`);
  const { id, key } = made.json<{ id: string; key: string }>();
  const revoke = async (): Promise<void> => {
    const { status, text } = await send(port, `/api/v1/api-keys/${id}`, { method: 'DELETE', headers: owner });
    if (status !== 200) throw new Error(`DELETE /api/v1/api-keys: ${status} ${text}`);
  };
  return watchRevocation(
    ports,
    { path: '/api/v1/me', headers: { 'x-api-key': key }, revoke },
    { beforeMs: 300, afterMs: 1_400 },
  );
}
