#!/usr/bin/env node

import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

import packageFile from '../../package.json' with { type: 'json' };
import { helpOf, UsageError } from './command-line.ts';

// Beside the code, not in a folder that others may write to; written when a process ends, because writing it would delay
// the responses of a server. If it cannot be written, the start only takes longer.
enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url)));
const { commands } = await import('./commands.ts');

const [name, ...rest] = process.argv.slice(2);
const command = commands.find((candidate) => candidate.name === name);
if (name === '--version') {
  console.log(packageFile.version);
} else if (name === undefined || name === '--help') {
  const width = Math.max(...commands.map((one) => one.usage.length));
  console.log('daybook <command>\n');
  for (const { usage, summary } of commands) console.log(`  ${usage.padEnd(width)}  ${summary}`);
  console.log('\nConfigured through environment variables: see docs/guides/configuration.md');
} else if (command === undefined) {
  const { reportFailure, systemHost, unknownCommand } = await import('@daybook/cli');
  process.exitCode = reportFailure(unknownCommand(name, commands), rest, systemHost());
} else if (command.actions !== undefined && rest.includes('--help')) {
  console.log(helpOf(command));
} else {
  await command.run(rest).catch(async (error: unknown) => {
    const { reportFailure, systemHost } = await import('@daybook/cli');
    if (!(error instanceof UsageError)) process.exit(reportFailure(error, rest, systemHost()));
    console.error(`usage: daybook ${command.usage}`);
    process.exit(1);
  });
}
