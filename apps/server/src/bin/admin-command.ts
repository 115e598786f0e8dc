import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';

import { readConfig } from '../config/config.ts';
import { operatorCommands } from '../identity/index.ts';
import { withIdentity } from '../wiring/accounts.ts';
import type { Command } from './command-line.ts';
import { UsageError } from './command-line.ts';

/** Read from standard input, so that it appears in no process list and no shell history. */
async function readPassword(): Promise<string> {
  if (process.stdin.isTTY) process.stderr.write('Password (visible as you type): ');
  const lines = createInterface({ input: process.stdin });
  for await (const line of lines) return line;
  throw new Error('No password on standard input');
}

function required(values: Readonly<Record<string, unknown>>, name: string): string {
  const value = values[name];
  if (typeof value !== 'string') throw new Error(`daybook admin: --${name} is missing`);
  return value;
}

export const run: Command['run'] = async ([action, ...rest]) => {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: rest,
    options: {
      username: text,
      email: text,
      name: text,
      organization: text,
      'organization-name': text,
      superuser: { type: 'boolean', default: false },
    },
  });
  await withIdentity(readConfig(process.env), async (identity) => {
    if (action === 'create-owner') {
      const username = required(values, 'username');
      const name = values.name ?? username;
      const key = values.organization ?? username;
      const id = await operatorCommands.createOwner(identity, {
        username,
        email: required(values, 'email'),
        name,
        password: await readPassword(),
        organization: { key, name: values['organization-name'] ?? key },
        superuser: values.superuser,
      });
      console.log(`Created account ${id}.`);
    } else if (action === 'unlock') {
      const opened = await operatorCommands.unlockAccount(identity, required(values, 'email'));
      console.log(opened ? 'Account unlocked.' : 'The account was not locked.');
    } else if (action === 'turn-off-second-factor') {
      const was = await operatorCommands.turnOffSecondFactorByOperator(identity, required(values, 'email'));
      console.log(`Two-factor authentication ${was ? 'disabled' : 'was not enabled'}.`);
    } else if (action === 'rotate-signing-key') {
      await operatorCommands.rotateSigningKeyNow(identity);
      console.log('New signing key published. It takes effect after 15 minutes.');
    } else throw new UsageError();
  });
};
