#!/usr/bin/env -S node --disable-warning=ExperimentalWarning
import { homedir } from 'node:os';

import { accountCommands, commandUsage, runAccountCommand } from '../account-command.ts';
import { openBrowser } from '../browser-opener.ts';

// Without the server: for machines that only sign in to one.
const [name, ...rest] = process.argv.slice(2);
const command = accountCommands.find((one) => one.name === name);
if (command === undefined) {
  console.log('daybook <command>\n');
  for (const one of accountCommands) console.log(`  ${commandUsage(one).padEnd(38)}  ${one.summary}`);
  process.exitCode = name === undefined || name === '--help' ? 0 : 2;
} else {
  const host = { env: process.env, home: homedir(), nowMs: Date.now, print: console.log, openBrowser };
  await runAccountCommand(command, rest, host).catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    if (error instanceof Error && error.cause instanceof Error) console.error(`  ${error.cause.message}`);
    process.exitCode = 1;
  });
}
