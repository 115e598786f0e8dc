import { cliCommands, systemHost } from '@daybook/cli';

import type { Command } from './command-line.ts';

/** Each command imports its modules when it runs, so that `--help` does not load the newsroom. */
const serverCommands: readonly Command[] = [
  {
    name: 'api',
    usage: 'api',
    summary: 'Start the HTTP server',
    actions: {},
    run: async (rest) => (await import('./api-command.ts')).run(rest),
  },
  {
    name: 'worker',
    usage: 'worker',
    summary: 'Start a background worker',
    actions: {},
    run: async (rest) => (await import('./worker-command.ts')).run(rest),
  },
  {
    name: 'all',
    usage: 'all',
    summary: 'Start the HTTP server and one worker, for small installations',
    actions: {},
    run: async (rest) => (await import('./all-command.ts')).run(rest),
  },
  {
    name: 'database',
    usage: 'database migrate|logins',
    summary: 'Apply migrations; create the three logins (requires DATABASE_SUPERUSER_URL)',
    actions: {
      migrate: 'Apply pending migrations',
      logins:
        'Create the database and its three logins, or set their passwords (DATABASE_SUPERUSER_URL, DATABASE_LOGIN_PASSWORD)',
    },
    run: async (rest) => (await import('./database-command.ts')).run(rest),
  },
  {
    name: 'doctor',
    usage: 'doctor [--json]',
    summary:
      'Check settings, database, secret key, mail, storage, scanner, disk and edge, with advice for each problem; exit code 1 if a check fails',
    actions: {},
    run: async (rest) => (await import('./doctor-command.ts')).run(rest),
  },
  {
    name: 'keys',
    usage: 'keys list|reseal [--json]',
    summary:
      'List the values that each key of DAYBOOK_SECRET_KEY encrypts; re-encrypt all values with the first key',
    actions: {
      'list [--json]': 'List the values that each key encrypts, and their number',
      'reseal [--json]':
        'Re-encrypt all values with the first key, in batches, and verify them (DATABASE_OWNER_URL). After an interruption, run it again to continue',
    },
    run: async (rest) => (await import('./keys-command.ts')).run(rest),
  },
  {
    name: 'backups',
    usage: 'backups record <file>|files | list [--json]',
    summary: 'Record completed backups, for metrics, `daybook doctor` and /desk/operations; list them',
    actions: {
      'record <file>':
        'Record the database backups in a file with the output of `pgbackrest info --output=json`',
      'record files': 'Record a backup of the member files that was completed now',
      'list [--json]': 'List recorded backups and drills, newest first',
    },
    run: async (rest) => (await import('./backups-command.ts')).run(rest),
  },
  {
    name: 'revocations',
    usage: 'revocations export <file>',
    summary:
      'Append withdrawals, ended subscriptions, removed sign-in methods and members to a file outside the database, for a restore',
    actions: {
      'export <file>':
        'Append new entries as JSON lines, without the text of items; run it every minute, to a different disk than that of the database',
    },
    run: async (rest) => (await import('./revocations-command.ts')).run(rest),
  },
  {
    name: 'restore-check',
    usage: 'restore-check --revocations <file>|--no-revocations [--keep-keys] [--json]',
    summary:
      'After a restore and before any process is started: revoke credentials, stop mail, repeat withdrawals and revocations, start an epoch, verify everything (DATABASE_OWNER_URL)',
    actions: {
      '--revocations <file>': 'Apply the file of `daybook revocations export`',
      '--no-revocations': 'Confirm that nothing was withdrawn or revoked since the backup',
      '[--keep-keys]':
        'Keep API keys, platform tokens and links valid. By default they are revoked, because those that were revoked since the backup would be valid again',
    },
    run: async (rest) => (await import('./restore-check-command.ts')).run(rest),
  },
  {
    name: 'drill',
    usage: 'drill --folder <empty folder> --restore <command> --bin <folder> [--revocations <file>] [--json]',
    summary:
      'Try a restore beside the running installation: restore, run restore-check, report, delete (as root, DATABASE_OWNER_URL)',
    actions: {
      '--folder <empty folder>': 'Folder for the restored database; deleted at the end',
      '--restore <command>': 'Shell command that restores the cluster into $DRILL_DATA',
      '--bin <folder>': 'Folder with the program postgres, such as /usr/lib/postgresql/17/bin',
      '[--account <name>]': 'Account that runs both; default postgres',
      '[--revocations <file>]': 'Apply the file of `daybook revocations export`, as after a real restore',
    },
    run: async (rest) => (await import('./drill-command.ts')).run(rest),
  },
  {
    name: 'record',
    usage: 'record verify|roll-window|recompose|new-epoch',
    summary:
      'Check the consistency of the public record (read-only); create and drop partitions; update stored bodies; start a new epoch after a restore',
    actions: {
      verify: 'Check every guarantee of the public record (read-only); exit code 1 if one is broken',
      'roll-window': 'Create and drop the partitions of the last days',
      recompose: 'Update stored bodies after an upgrade that changed their format',
      'new-epoch':
        'Require mirrors to download a new snapshot, after the database was restored from a backup',
    },
    run: async (rest) => (await import('./record-command.ts')).run(rest),
  },
  {
    name: 'log',
    usage: 'log keygen [--origin <name>]|rotate|retire|new-epoch',
    summary: 'Create, rotate and retire the keys that sign the public log (DAYBOOK_LOG_KEY_FILE)',
    actions: {
      'keygen [--origin <name>]':
        'Create the key file with a first key; the origin is the name of the log, by default its address',
      rotate: 'Add a new key; the existing keys continue to sign',
      'new-epoch': 'Continue the log under another name and key, after a restore that lost signed entries',
      retire: 'Sign with the newest key only; the other keys remain published for earlier checkpoints',
    },
    run: async (rest) => (await import('./log-command.ts')).run(rest),
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
    name: 'agents',
    usage: 'agents evaluate <questions.jsonl> [--corpus <corpus.jsonl>] [--failures] [--json]',
    summary: 'Measure the answers of agents on labelled questions. See `daybook agents --help`',
    run: async (rest) => (await import('./agents-command.ts')).run(rest),
  },
  {
    name: 'mailing',
    usage: 'mailing undelivered [--json]',
    summary: 'List undelivered mail, newest first',
    actions: { 'undelivered [--json]': 'List undelivered mail, newest first' },
    run: async (rest) => (await import('./mailing-command.ts')).run(rest),
  },
  {
    name: 'storage',
    usage: 'storage verify|setup|quota <organization> [<size>|default] [--project <id>|--person <username>]',
    summary:
      'Compare the database with the stored files (read-only); configure an S3 bucket; show or set the storage quota of an organization, a project or a person',
    actions: {
      verify: 'Compare the database with the stored files (read-only); exit code 1 if they differ',
      setup: 'Configure an S3 bucket for uploads from browsers',
      'quota <organization> [--project <id>|--person <username>]': 'Show the storage quota and usage',
      'quota <organization> <size>|default [--project <id>|--person <username>]': 'Set the storage quota',
    },
    run: async (rest) => (await import('./storage-command.ts')).run(rest),
  },
  {
    name: 'admin',
    usage: 'admin create-owner|unlock|turn-off-second-factor|rotate-signing-key',
    summary:
      'Create an organization and its owner (password on standard input); unlock an account; disable two-factor authentication for an account; rotate the signing key',
    actions: {
      'create-owner --username … --email … [--name …] [--organization …] [--organization-name …] [--superuser]':
        'Create an organization and its owner; the password is read from standard input',
      'unlock --email …': 'Unlock an account after failed sign-ins',
      'turn-off-second-factor --email …': 'Disable two-factor authentication for an account',
      'rotate-signing-key': 'Publish a new signing key; it takes effect after 15 minutes',
    },
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
