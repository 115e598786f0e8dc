#!/usr/bin/env node

import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

import { UsageError } from './command-line.ts';

// Beside the code, not in a folder that others may write to; written when a process ends, because writing it would delay
// the responses of a server. If it cannot be written, the start only takes longer.
enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url)));
const { commands } = await import('./commands.ts');

const [name, ...rest] = process.argv.slice(2);
const command = commands.find((candidate) => candidate.name === name);
if (command === undefined) {
  const width = Math.max(...commands.map((one) => one.usage.length));
  console.log('daybook <command>\n');
  for (const { usage, summary } of commands) console.log(`  ${usage.padEnd(width)}  ${summary}`);
  console.log('\nConfigured through environment variables: see docs/guides/configuration.md');
  process.exitCode = name === undefined || name === '--help' ? 0 : 2;
} else {
  await command.run(rest).catch((error: unknown) => {
    if (error instanceof UsageError) console.error(`usage: daybook ${command.usage}`);
    else console.error(error instanceof Error ? error.message : error);
    if (error instanceof Error && error.cause instanceof Error) console.error(`  ${error.cause.message}`);
    process.exit(1);
  });
}
