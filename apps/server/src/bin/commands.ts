import { cliCommands, systemHost } from '@daybook/cli';

import type { Command } from './command-line.ts';

/** Each command imports its modules when it runs, so that `--help` does not load the newsroom. */
const serverCommands: readonly Command[] = [
  {
    name: 'api',
    usage: 'api',
    summary: 'Start the HTTP server',
    run: async (rest) => (await import('./api-command.ts')).run(rest),
  },
  {
    name: 'worker',
    usage: 'worker',
    summary: 'Start a background worker',
    run: async (rest) => (await import('./worker-command.ts')).run(rest),
  },
  {
    name: 'all',
    usage: 'all',
    summary: 'Start the HTTP server and one worker, for small installations',
    run: async (rest) => (await import('./all-command.ts')).run(rest),
  },
  {
    name: 'database',
    usage: 'database migrate|logins',
    summary: 'Apply migrations; create the three logins (requires DATABASE_SUPERUSER_URL)',
    run: async (rest) => (await import('./database-command.ts')).run(rest),
  },
  {
    name: 'record',
    usage: 'record verify|roll-window|recompose|new-epoch',
    summary:
      'Check the consistency of the public record (read-only); create and drop partitions; update stored bodies; start a new epoch after a restore',
    run: async (rest) => (await import('./record-command.ts')).run(rest),
  },
  {
    name: 'newsroom',
    usage: 'newsroom verify|unpublished|retry|explain|replay|evaluate|withdraw|correct|merge|split',
    summary:
      'Check publication, explain decisions, correct published items and reports. See `daybook newsroom --help`',
    run: async (rest) => (await import('./newsroom-command.ts')).run(rest),
  },
  {
    name: 'sources',
    usage: 'sources add|import|export|install|list|show|discover|preview|poll|pause|resume|remove',
    summary: 'Manage news sources. See `daybook sources --help`',
    run: async (rest) => (await import('./sources-command.ts')).run(rest),
  },
  {
    name: 'mailing',
    usage: 'mailing undelivered [--json]',
    summary: 'List undelivered mail, newest first',
    run: async (rest) => (await import('./mailing-command.ts')).run(rest),
  },
  {
    name: 'storage',
    usage: 'storage verify|setup',
    summary: 'Compare the database with the stored files (read-only); configure an S3 bucket',
    run: async (rest) => (await import('./storage-command.ts')).run(rest),
  },
  {
    name: 'admin',
    usage: 'admin create-owner|unlock|turn-off-second-factor|rotate-signing-key',
    summary:
      'Create an organization and its owner (password on standard input); unlock an account; disable two-factor authentication for an account; rotate the signing key',
    run: async (rest) => (await import('./admin-command.ts')).run(rest),
  },
];

/** Client commands: read, mirror, sign in. They read no setting of the server. */
const readerCommands: readonly Command[] = cliCommands.map(({ name, usage, summary, run }) => ({
  name,
  usage,
  summary,
  run: (rest) => run(rest, systemHost()),
}));

export const commands: readonly Command[] = [...serverCommands, ...readerCommands];
