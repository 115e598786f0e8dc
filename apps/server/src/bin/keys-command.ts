import { parseArgs } from 'node:util';

import type { Config } from '../config/config.ts';
import { readConfig } from '../config/config.ts';
import { hourMs } from '../foundation/clock.ts';
import type { KeyUse, ResealResult } from '../foundation/sealing/reseal.ts';
import { readKeyUse, resealColumn } from '../foundation/sealing/reseal.ts';
import { withDatabase } from '../wiring/connections.ts';
import { sealedColumns } from '../wiring/sealed-columns.ts';
import type { Command } from './command-line.ts';
import { UsageError, printResult } from './command-line.ts';

export const run: Command['run'] = async ([action, ...rest]) => {
  if (action !== 'list' && action !== 'reseal') throw new UsageError();
  const { values } = parseArgs({ args: [...rest], options: { json: { type: 'boolean', default: false } } });
  const config = readConfig(process.env);
  if (config.identity.secretKeys.length === 0) throw new Error('DAYBOOK_SECRET_KEY is not set.');
  await (action === 'list' ? list(config, values.json) : reseal(config, values.json));
};

async function list(config: Config, json: boolean): Promise<void> {
  const keys = await withDatabase(config, { name: 'daybook keys' }, (database) =>
    readKeyUse(database, config.identity.secretKeys, sealedColumns),
  );
  printResult(json, { keys }, keys.flatMap(linesOfKey));
  if (keys.some(({ state }) => state === 'unknown')) process.exitCode = 1;
}

const stateTexts = {
  sealing: 'encrypts new values',
  opening: 'only decrypts',
  unknown: 'is not in DAYBOOK_SECRET_KEY: these values cannot be read',
} as const;

function linesOfKey({ keyId, state, values }: KeyUse): readonly string[] {
  const isUnused = state === 'opening' && values.every(({ count }) => count === 0);
  return [
    `Key ${keyId} ${stateTexts[state]}`,
    ...values.map(({ contents, count }) => `  ${String(count).padStart(8)}  ${contents}`),
    ...(isUnused ? ['  It encrypts no stored value. Remove it from DAYBOOK_SECRET_KEY.'] : []),
  ];
}

/** As the owner: the processes that serve readers may not replace the secrets of accounts. */
async function reseal(config: Config, json: boolean): Promise<void> {
  const { ownerUrl: url } = config.database;
  const { secretKeys } = config.identity;
  const results = await withDatabase(
    config,
    { name: 'daybook keys', url, statementTimeoutMs: hourMs },
    async (database) => {
      const done: ResealResult[] = [];
      for (const column of sealedColumns) done.push(await resealColumn({ database, secretKeys }, column));
      return done;
    },
  );
  printResult(json, { results }, [...results.flatMap(linesOfResult), closingLine(results)]);
  if (results.some(isIncomplete)) process.exitCode = 1;
}

const isIncomplete = ({ remaining, unreadable }: ResealResult): boolean =>
  remaining > 0 || unreadable.length > 0;

const listedMax = 20;

function linesOfResult({ contents, resealed, verified, unreadable }: ResealResult): readonly string[] {
  return [
    `${contents}: ${resealed} re-encrypted, ${verified} verified with the first key`,
    ...unreadable.slice(0, listedMax).map((id) => `    no configured key decrypts ${id}`),
    ...(unreadable.length > listedMax ? [`    and ${unreadable.length - listedMax} more`] : []),
  ];
}

function closingLine(results: readonly ResealResult[]): string {
  if (results.some(({ unreadable }) => unreadable.length > 0))
    return 'Some values are damaged or encrypted with a key that is not configured. Add that key to DAYBOOK_SECRET_KEY and run this command again.';
  if (results.some(({ remaining }) => remaining > 0))
    return 'Some values changed during the run, because a process still encrypts with an earlier key. Restart it with the new order of keys, and run this command again.';
  return 'Every value is encrypted with the first key. Remove the others from DAYBOOK_SECRET_KEY and restart all processes.';
}
