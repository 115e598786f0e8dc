import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import type { Suite, SuiteContext } from '@daybook/evidence';

import type { DebianMachine } from '../machine/debian-machine.ts';
import { describeMissingParts, startDebianMachine } from '../machine/debian-machine.ts';
import type { GuideBlock } from '../machine/guide-blocks.ts';
import { readShellBlocks } from '../machine/guide-blocks.ts';
import { checkInstallation, checkRestored, checkUpgraded, servePublisher } from '../machine/installation.ts';

const guide = 'docs/guides/operating.md';
const installMinutesMax = 30;

export const suite: Suite = {
  name: 'install',
  nightly: true,
  summary:
    'The commands of the operating guide take an empty Debian to HTTPS, a first item, a backup, a drill, a restore and an upgrade.',
  headline: 'from the empty machine to a page over TLS',
  promise:
    'Every block of `docs/guides/operating.md` that is marked as shell runs as root, in its order and in one shell, on an empty Debian 13 with its own systemd, network and disk. The suite sets only the variables that the guide names: the repository (this commit), a feed and the moment to restore. After each part it looks at the result from outside: a page over TLS, an item of the feed, restricted services, a rotated log, a backup with encrypted files, a drill, a database as it was at the chosen second without what was withdrawn since, and processes of the new release.',
  run: async (context) => {
    const missing = describeMissingParts();
    if (missing !== null) {
      context.didNotRun(missing);
      return;
    }
    const folder = await mkdtemp(join(tmpdir(), 'daybook-source-'));
    try {
      // Of the commit: the guide clones it.
      await promisify(execFile)('git', [
        'clone',
        '--quiet',
        '--bare',
        context.root,
        join(folder, 'daybook.git'),
      ]);
      const machine = await startDebianMachine(context.root, 'trixie', { 'srv/source': folder });
      try {
        await prove(context, machine);
      } finally {
        await machine.stop();
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

async function prove(context: SuiteContext, machine: DebianMachine): Promise<void> {
  const blocks = await readShellBlocks(join(context.root, guide));
  const parts = new Set(['Back up', 'Try a restore', 'Restore', 'Upgrade']);
  const isInstall = ({ heading }: GuideBlock): boolean => !parts.has(heading);
  const of = (heading: string): readonly GuideBlock[] => blocks.filter((block) => block.heading === heading);
  await servePublisher(machine);
  const started = performance.now();
  await execute(context, machine, blocks.filter(isInstall));
  await checkInstallation(context, machine);
  context.figure({
    name: 'from the empty machine to a page over TLS and an item of the feed',
    value: (performance.now() - started) / 60_000,
    unit: 'minutes',
    goal: { atMost: installMinutesMax },
  });
  await execute(context, machine, of('Back up'));
  await execute(context, machine, of('Try a restore'));
  await checkRestored(context, machine, (moment) =>
    execute(context, machine, of('Restore'), { RESTORE_TO: moment }),
  );
  await execute(context, machine, of('Upgrade'));
  await checkUpgraded(context, machine);
}

/** In one shell, which stops at the first command that fails. */
async function execute(
  { note, figure }: SuiteContext,
  { run }: DebianMachine,
  blocks: readonly GuideBlock[],
  variables: Readonly<Record<string, string>> = {},
): Promise<void> {
  const given = {
    DAYBOOK_REPOSITORY: '/srv/source/daybook.git',
    FIRST_FEED: 'http://wire.example.com:8099/feed.xml',
    ...variables,
  };
  const heading = blocks[0]?.heading ?? '';
  const script = [
    'set -e',
    'trap \'echo "FAILED: $BASH_COMMAND"\' ERR',
    ...Object.entries(given).map(([name, value]) => `export ${name}='${value}'`),
    ...blocks.flatMap((block) => [`echo '### ${block.heading}'`, block.text]),
  ].join('\n');
  const started = performance.now();
  const { code, output } = await run(script);
  const lines = output.trim().split('\n');
  if (code !== 0) for (const line of lines.slice(-40)) note(line);
  note(`${heading}: ${blocks.length} blocks in ${((performance.now() - started) / 1_000).toFixed(0)} s`);
  for (const line of lines.filter((one) => /^[✓✗!] /.test(one))) note(line);
  figure({
    name: `blocks from “${heading}” on that ended with an error`,
    value: code === 0 ? 0 : 1,
    unit: 'blocks',
    goal: { exactly: 0 },
  });
  if (code !== 0) throw new Error(`the commands under “${heading}” failed`);
}
