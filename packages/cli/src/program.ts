import { accountCommands, commandUsage, runAccountCommand } from '@daybook/login';

import { ask } from './ask-command.ts';
import type { CliHost } from './cli-host.ts';
import { CliError, exitCodeHelp, exitCodes, reportFailure } from './cli-host.ts';
import { cliVersion, parseCommandLine } from './command-line.ts';
import { completion } from './completion-command.ts';
import type { Flag } from './flags.ts';
import { flagLines } from './flags.ts';
import { mcp } from './mcp-command.ts';
import { mirror } from './mirror-command.ts';
import { nearest } from './nearest.ts';
import { push } from './push-command.ts';
import type { ReaderRun } from './reader-commands.ts';
import { hot, item, report, search, story, today } from './reader-commands.ts';
import { get, ls, put } from './storage-commands.ts';
import { verify } from './verify-command.ts';
import { watch } from './watch-command.ts';
import { witness } from './witness-command.ts';

/** Runs a command with its arguments; throws an error with a readable message. */
export interface CliCommand {
  readonly name: string;
  readonly usage: string;
  readonly summary: string;
  /** The flags it accepts, beside those of accounts. */
  readonly flags: readonly Flag[];
  readonly run: (args: readonly string[], host: CliHost) => Promise<void>;
}

const always = ['url', 'help'] as const satisfies readonly Flag[];
const wording = ['language', 'json', ...always] as const satisfies readonly Flag[];
const listing = ['category', 'source', 'since', 'limit', 'cursor', 'online', 'sqlite', ...wording] as const;

const readers: readonly CliCommand[] = [
  reader('today', 'today', 'List the newest selected items', listing, today),
  reader('hot', 'hot', 'List the stories with the most independent sources', wording, hot),
  reader('story', 'story <id>', 'Show a story with its digest and reports', wording, story),
  reader('item', 'item <id>', 'Show an item of any age', wording, item),
  reader('search', 'search <words>', 'Search items that contain every word', listing, search),
  reader('daily', 'daily [date]', 'Show the daily report of a date', wording, report('daily')),
  reader('weekly', 'weekly [week]', 'Show the weekly report of a week', wording, report('weekly')),
  reader('monthly', 'monthly [month]', 'Show the monthly report of a month', wording, report('monthly')),
  reader(
    'mirror',
    'mirror [verify|repair|log]',
    'Update, verify or repair an exact local copy of the selected items; check it against the public log',
    ['follow', 'online', 'sqlite', 'jsonl', 'key', 'json', ...always],
    mirror,
  ),
  reader(
    'verify',
    'verify <url|id|file>',
    'Verify that published content, or its withdrawal, is in the public log',
    ['key', 'digest', 'json', ...always],
    verify,
  ),
  reader(
    'witness',
    'witness keygen <folder> <name> | serve <folder> [port]',
    'Run a witness that cosigns checkpoints of public logs',
    ['help'],
    witness,
  ),
  reader(
    'ask',
    'ask <question>',
    'Ask an agent; every sentence of the answer cites a source',
    ['agent', 'organization', 'follows', 'json', ...always],
    ask,
  ),
  reader(
    'watch',
    'watch [list|add <words>|remove <search>]',
    'List, save or delete saved searches',
    ['category', 'source', 'without', 'min-sources', 'mail', 'language', 'json', ...always],
    watch,
  ),
  reader('ls', 'ls [project[/folder]]', 'List projects, or folders and files', ['json', ...always], ls),
  reader('put', 'put <file> <project>[/folder]', 'Upload a file', ['json', ...always], put),
  reader(
    'push',
    'push <folder> <project>[/folder]',
    'Upload a folder with all its files; send only the differences',
    ['delete', 'delete-all', 'json', ...always],
    push,
  ),
  reader('get', 'get <project>/<path> [file]', 'Download a file', ['json', ...always], get),
  reader(
    'mcp',
    'mcp',
    'Start an MCP server on standard input and output',
    ['online', 'sqlite', 'files', ...always],
    mcp,
  ),
];

const accounts: readonly CliCommand[] = accountCommands.map((command) => ({
  name: command.name,
  usage: commandUsage(command),
  summary: command.summary,
  flags: always,
  run: (args, host) => runAccountCommand(command, args, host),
}));

const completed: readonly CliCommand[] = [...readers, ...accounts];

/** The commands of people who read and sign in; the server's own program shows them after its own. */
export const cliCommands: readonly CliCommand[] = [
  ...completed,
  {
    name: 'completion',
    usage: 'completion bash|zsh|fish',
    summary: 'Print the completion script of a shell',
    flags: ['help'],
    run: (args, host) => completion(args, completed, host),
  },
];

function reader(
  name: string,
  usage: string,
  summary: string,
  flags: readonly Flag[],
  run: ReaderRun,
): CliCommand {
  const takesWords = /[<[]/.test(usage);
  return {
    name,
    usage,
    summary,
    flags,
    run: async (args, host) => {
      const line = parseCommandLine(args, flags, host);
      if (line.help) {
        host.print(`daybook ${usage}: ${summary}\n\n${flagLines(flags).join('\n')}\n\n${exitCodeHelp}`);
        return;
      }
      if (!takesWords && line.words.length > 0)
        throw new CliError('usage', `daybook ${name} takes no arguments; found ${line.words.join(' ')}`);
      await run(line, host);
    },
  };
}

/** Runs one command line and returns its exit code. */
export async function runDaybook(args: readonly string[], host: CliHost): Promise<number> {
  const [name, ...rest] = args;
  if (name === '--version') {
    host.print(cliVersion);
    return exitCodes.done;
  }
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    const width = Math.max(...cliCommands.map(({ usage }) => usage.length));
    host.print('daybook <command>\n');
    for (const { usage, summary } of cliCommands) host.print(`  ${usage.padEnd(width)}  ${summary}`);
    host.print('\nSee `daybook <command> --help` for its flags; `daybook --version` prints the version.');
    host.print(`\n${exitCodeHelp}`);
    return exitCodes.done;
  }
  try {
    const command = cliCommands.find((one) => one.name === name);
    if (command === undefined) throw unknownCommand(name, cliCommands);
    await command.run(rest, host);
    return exitCodes.done;
  } catch (error) {
    return reportFailure(error, args, host);
  }
}

/** Names the command and the nearest known one. */
export function unknownCommand(name: string, known: readonly { readonly name: string }[]): CliError {
  const similar = nearest(
    name,
    known.map((one) => one.name),
  );
  const hint = similar === null ? '' : ` Did you mean daybook ${similar}?`;
  return new CliError('usage', `unknown command: ${name}.${hint} See daybook --help`);
}
