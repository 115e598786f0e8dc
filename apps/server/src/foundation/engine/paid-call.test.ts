import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { TestDatabase } from '../../../test/database.ts';
import { createTestDatabase } from '../../../test/database.ts';
import { createLogger } from '../logger.ts';
import { createEpochFence, EpochEndedError } from './epoch-fence.ts';
import { leaveEpoch } from './executor-store.ts';
import type { PaidCall, PaidCallDeps } from './paid-call.ts';
import { performPaidCall } from './paid-call.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

async function newEpoch(logger = createLogger('silent', 'test')): Promise<PaidCallDeps> {
  const { epoch } = await database.database
    .insertInto('foundation.executor')
    .values({ host: 'here', process_id: 1, application_version: 'test' })
    .returning('epoch')
    .executeTakeFirstOrThrow();
  return {
    database: database.database,
    epoch,
    fence: createEpochFence(epoch, () => {}),
    logger,
    untilDone: (work) => work(),
  };
}

const step = (key: string) => ({ key, workflowId: 'w', signal: new AbortController().signal });

function counted(answers: readonly (() => string)[], more: Partial<PaidCall<string>> = {}) {
  const keys: string[] = [];
  const paid: PaidCall<string> = {
    call: async (key) => {
      keys.push(key);
      return answers[keys.length - 1]?.() ?? 'bought';
    },
    fallback: (why) => `without (${why})`,
    ...more,
  };
  return { keys, paid };
}
const failing = (message: string) => (): string => {
  throw new Error(message);
};

describe('a paid call', () => {
  test('is made once; a repeated step returns the receipt', async () => {
    const deps = await newEpoch();
    const { keys, paid } = counted([]);
    expect(await performPaidCall(deps, step('once'), paid)).toBe('bought');
    expect(await performPaidCall(await newEpoch(), step('once'), paid)).toBe('bought');
    expect(keys).toEqual(['once']);
  });

  test('with an intent but no receipt counts as spent: the next executor uses the fallback', async () => {
    const deps = await newEpoch();
    const gone = Promise.withResolvers<string>();
    const begun = Promise.withResolvers<void>();
    const first = performPaidCall(deps, step('cut'), {
      call: () => {
        begun.resolve();
        return gone.promise;
      },
      fallback: () => 'never',
    });
    await begun.promise;
    await leaveEpoch(database.database, deps.epoch);
    const { keys, paid } = counted([]);
    expect(await performPaidCall(await newEpoch(), step('cut'), paid)).toBe('without (interrupted)');
    expect(keys).toEqual([]);
    // The response arrives after all, at a process that has been replaced: it is refused.
    gone.resolve('late');
    await expect(first).rejects.toThrow(EpochEndedError);
    expect(await performPaidCall(await newEpoch(), step('cut'), paid)).toBe('without (interrupted)');
  });

  test('is not repeated after a failure, because it may have been charged', async () => {
    const { keys, paid } = counted([failing('500')]);
    expect(await performPaidCall(await newEpoch(), step('failed'), paid)).toBe('without (failed)');
    expect(await performPaidCall(await newEpoch(), step('failed'), paid)).toBe('without (failed)');
    expect(keys).toHaveLength(1);
  });

  test('logs the error of a failure without the data attached to the error', async () => {
    const lines: string[] = [];
    const logger = createLogger('warn', 'test', { write: (line) => lines.push(line) });
    const error = Object.assign(new Error('402 Payment Required'), {
      headers: { authorization: 'Bearer s' },
    });
    const { paid } = counted([
      () => {
        throw error;
      },
    ]);
    await performPaidCall(await newEpoch(logger), step('logged'), paid);
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { error: 'Error: 402 Payment Required', paidCall: 'logged', attempt: 1, outcome: 'failed' },
    ]);
    expect(lines.join()).not.toContain('Bearer');
  });

  test('may be retried as often as declared if it certainly cost nothing', async () => {
    const isUnspent = (error: unknown): boolean => error instanceof Error && error.message === '429';
    const lucky = counted([failing('429')], { isUnspent, attemptsMax: 3 });
    expect(await performPaidCall(await newEpoch(), step('lucky'), lucky.paid)).toBe('bought');
    const unlucky = counted([failing('429'), failing('429')], { isUnspent, attemptsMax: 2 });
    expect(await performPaidCall(await newEpoch(), step('unlucky'), unlucky.paid)).toBe('without (failed)');
    expect([lucky.keys.length, unlucky.keys.length]).toEqual([2, 2]);
  });

  test('is not begun by an executor whose epoch has ended', async () => {
    const deps = await newEpoch();
    await leaveEpoch(database.database, deps.epoch);
    const { keys, paid } = counted([]);
    await expect(performPaidCall(deps, step('asleep'), paid)).rejects.toThrow(EpochEndedError);
    expect(keys).toEqual([]);
  });
});
