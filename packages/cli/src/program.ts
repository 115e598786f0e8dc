import { accountCommands, commandUsage, runAccountCommand } from '@daybook/login';

import type { CliHost } from './cli-host.ts';
import { CliError, exitCodeHelp, exitCodes } from './cli-host.ts';
import { parseCommandLine } from './command-line.ts';
import { mcp } from './mcp-command.ts';
import { mirror } from './mirror-command.ts';
import type { ReaderRun } from './reader-commands.ts';
import { hot, report, search, story, today } from './reader-commands.ts';

/** Runs a command with its arguments; throws an error with a readable message. */
export interface CliCommand {
  readonly name: string;
  readonly usage: string;
  readonly summary: string;
  readonly run: (args: readonly string[], host: CliHost) => Promise<void>;
}

const flagHelp = `  --url <url>       server URL; default DAYBOOK_URL, then http://localhost:8080
  --json            print one JSON document (mirror: one per line)
  --limit <n>       number of items, 1 to 100
  --language <l>    en or zh: wording of stories and reports (hot, story, daily, weekly,
                    monthly), items in it (today, search)
  --online          ask the server although a mirror exists (today, search, mirror verify)
  --sqlite <file>   mirror to read or update; default ~/.local/share/daybook/mirror.db
  --jsonl <file>    write the mirror as JSON Lines

${exitCodeHelp}`;

const readers: readonly CliCommand[] = [
  reader('today', 'today', 'List the newest selected items', today),
  reader('hot', 'hot', 'List the stories most independent sources are reporting', hot),
  reader('story', 'story <id>', 'Show a story with its digest and reports', story),
  reader('search', 'search <words>', 'Search items that contain every word', search),
  reader('daily', 'daily [date]', 'Show the report of a day', report('daily')),
  reader('weekly', 'weekly [week]', 'Show the report of a week', report('weekly')),
  reader('monthly', 'monthly [month]', 'Show the report of a month', report('monthly')),
  reader(
    'mirror',
    'mirror [verify|repair] [--follow]',
    'Update, verify or repair an exact local copy of the selected items',
    mirror,
  ),
  reader('mcp', 'mcp', 'Start an MCP server on standard input and output', mcp),
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
