import { accountCommands, commandUsage, runAccountCommand } from '@daybook/login';

import type { CliHost } from './cli-host.ts';
import { CliError, exitCodeHelp, exitCodes } from './cli-host.ts';
import { parseCommandLine } from './command-line.ts';
import { mcp } from './mcp-command.ts';
import { mirror } from './mirror-command.ts';
import type { ReaderRun } from './reader-commands.ts';
import { hot, report, search, story, today } from './reader-commands.ts';

/** A command with its arguments; raises an error in words for people. */
export interface CliCommand {
  readonly name: string;
  readonly usage: string;
  readonly summary: string;
  readonly run: (args: readonly string[], host: CliHost) => Promise<void>;
}

const flagHelp = `  --url <address>   the server; else DAYBOOK_URL, else http://localhost:8080
  --json            one JSON document (of mirror one a line)
  --limit <n>       how many items, 1 to 100
  --sqlite <file>   the mirror to read or make; else ~/.local/share/daybook/mirror.db
  --jsonl <file>    make the mirror a file of JSON Lines

${exitCodeHelp}`;

const readers: readonly CliCommand[] = [
  reader('today', 'today', 'the newest selected items', today),
  reader('hot', 'hot', 'what most independent sources report now', hot),
  reader('story', 'story <id>', 'one event with its digest and reports', story),
  reader('search', 'search <words>', 'items in which every word occurs', search),
  reader('daily', 'daily [date]', 'the report of a day', report('daily')),
  reader('weekly', 'weekly [week]', 'the report of a week', report('weekly')),
  reader('monthly', 'monthly [month]', 'the report of a month', report('monthly')),
  reader(
    'mirror',
    'mirror [verify] [--follow]',
    'keeps or checks an exact copy of the selected items',
    mirror,
  ),
  reader('mcp', 'mcp', 'serves agents over MCP, on standard input and output', mcp),
];

/** The commands of people who read and sign in; the server's own program shows them after its own. */
export const cliCommands: readonly CliCommand[] = [
  ...readers,
  ...accountCommands.map((command) => ({
    name: command.name,
    usage: commandUsage(command),
    summary: command.summary,
    run: (args: readonly string[], host: CliHost) => runAccountCommand(command, args, host),
  })),
];

function reader(name: string, usage: string, summary: string, run: ReaderRun): CliCommand {
  return {
    name,
    usage,
    summary,
    run: async (args, host) => {
      const line = parseCommandLine(args, host);
      if (line.help) host.print(`daybook ${usage}: ${summary}\n\n${flagHelp}`);
      else await run(line, host);
    },
  };
}

/** Runs one command line and returns its exit code. */
export async function runDaybook(args: readonly string[], host: CliHost): Promise<number> {
  const [name, ...rest] = args;
  const command = cliCommands.find((one) => one.name === name);
  if (command === undefined) {
    const width = Math.max(...cliCommands.map(({ usage }) => usage.length));
    host.print('daybook <command>\n');
    for (const { usage, summary } of cliCommands) host.print(`  ${usage.padEnd(width)}  ${summary}`);
    host.print(`\n${flagHelp}`);
    return name === undefined || name === '--help' || name === 'help' ? exitCodes.done : exitCodes.usage;
  }
  try {
    await command.run(rest, host);
    return exitCodes.done;
  } catch (error) {
    host.say(error instanceof Error ? error.message : String(error));
    if (error instanceof Error && error.cause instanceof Error) host.say(`  ${error.cause.message}`);
    return error instanceof CliError ? error.code : exitCodes.failed;
  }
}
