#!/usr/bin/env node
import { accountCommands } from './account-commands.ts';
import { adminCommand } from './admin-command.ts';
import { allCommand } from './all-command.ts';
import { apiCommand } from './api-command.ts';
import type { Command } from './command.ts';
import { databaseCommand } from './database-command.ts';
import { recordCommand } from './record-command.ts';
import { workerCommand } from './worker-command.ts';

const commands: readonly Command[] = [
  apiCommand,
  workerCommand,
  allCommand,
  databaseCommand,
  recordCommand,
  adminCommand,
  ...accountCommands,
];

const [name, ...rest] = process.argv.slice(2);
const command = commands.find((candidate) => candidate.name === name);
if (command === undefined) {
  const width = Math.max(...commands.map((one) => one.usage.length));
  console.log('daybook <command>\n');
  for (const { usage, summary } of commands) console.log(`  ${usage.padEnd(width)}  ${summary}`);
  console.log('\nSettings come from the environment: docs/guides/configuration.md');
  process.exitCode = name === undefined || name === '--help' ? 0 : 2;
} else {
  await command.run(rest).catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    if (error instanceof Error && error.cause instanceof Error) console.error(`  ${error.cause.message}`);
    process.exit(1);
  });
}
