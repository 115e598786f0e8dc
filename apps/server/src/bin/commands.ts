import { cliCommands, systemHost } from '@daybook/cli';

import type { Command } from './command-line.ts';

/** What a command needs is imported when it is asked for: `--help` does not wait for the newsroom. */
const serverCommands: readonly Command[] = [
  {
    name: 'api',
    usage: 'api',
    summary: 'answers HTTP; start as many as you like',
    run: async (rest) => (await import('./api-command.ts')).run(rest),
  },
  {
    name: 'worker',
    usage: 'worker',
    summary: 'does the durable work; start as many as you like, and start again what ends',
    run: async (rest) => (await import('./worker-command.ts')).run(rest),
  },
  {
    name: 'all',
    usage: 'all',
    summary: 'api, and a worker as its child that is started again when it ends; for a small site',
    run: async (rest) => (await import('./all-command.ts')).run(rest),
  },
  {
    name: 'database',
    usage: 'database migrate|logins',
    summary:
      'brings the database up to date; makes its three logins (needs a superuser in DATABASE_SUPERUSER_URL)',
    run: async (rest) => (await import('./database-command.ts')).run(rest),
  },
  {
    name: 'record',
    usage: 'record verify|roll-window|recompose|new-epoch',
    summary:
      'checks every promise of the record (reads only); makes and drops the window’s partitions; brings stored bodies up to date; after a restore: new-epoch',
    run: async (rest) => (await import('./record-command.ts')).run(rest),
  },
  {
    name: 'newsroom',
    usage: 'newsroom verify|unpublished|retry|explain|replay|evaluate|withdraw|correct|merge|split',
    summary:
      'Check publication, explain decisions, correct what was published. See `daybook newsroom --help`',
    run: async (rest) => (await import('./newsroom-command.ts')).run(rest),
  },
  {
    name: 'sources',
    usage: 'sources add|import|export|install|list|show|discover|preview|poll|pause|resume|remove',
    summary: 'the publishers whose news is collected; daybook sources --help tells more',
    run: async (rest) => (await import('./sources-command.ts')).run(rest),
  },
  {
    name: 'mailing',
    usage: 'mailing undelivered [--json]',
    summary: 'the mails that did not arrive, or may not have, and why; the newest first',
    run: async (rest) => (await import('./mailing-command.ts')).run(rest),
  },
  {
    name: 'storage',
    usage: 'storage verify|setup',
    summary:
      'compares what rows say with what lies in the bucket (reads only); sets the rules that a bucket on S3 needs',
    run: async (rest) => (await import('./storage-command.ts')).run(rest),
  },
  {
    name: 'admin',
    usage: 'admin create-owner|unlock|turn-off-second-factor|rotate-signing-key',
    summary:
      'makes an organization with its owner (password on standard input); opens a locked account; turns one-time codes off for whoever lost them; renews keys',
    run: async (rest) => (await import('./admin-command.ts')).run(rest),
  },
];

/** What people do with a server from a terminal: read, mirror, sign in. No setting of the server is read. */
const readerCommands: readonly Command[] = cliCommands.map(({ name, usage, summary, run }) => ({
  name,
  usage,
  summary,
  run: (rest) => run(rest, systemHost()),
}));

export const commands: readonly Command[] = [...serverCommands, ...readerCommands];
