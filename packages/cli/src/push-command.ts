import { statSync } from 'node:fs';

import type { CliHost } from './cli-host.ts';
import { CliError } from './cli-host.ts';
import type { CommandLine } from './command-line.ts';
import type { PushedFolder } from './push-folder.ts';
import { NothingInCommon, pushFolder } from './push-folder.ts';
import { withRefusals } from './signed-in.ts';
import { placeOf, storageOf } from './storage-commands.ts';
import { printable } from './terminal-text.ts';

const listedMax = 20;

/** Stores a folder with all its files; another run sends only what differs. */
export async function push(line: CommandLine, host: CliHost): Promise<void> {
  const [folder, target, ...more] = line.words;
  if (folder === undefined || target === undefined || more.length > 0)
    throw new CliError(
      'usage',
      'specify a folder and a destination: daybook push <folder> <project>[/folder]',
    );
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found === undefined) throw new CliError('notFound', `folder not found: ${folder}`);
  if (!found.isDirectory()) throw new CliError('usage', `${folder} is a file: use daybook put`);
  const client = storageOf(line, host);
  await withRefusals(async () => {
    const place = await placeOf(client, target);
    const pushed = await pushFolder(client, {
      folder,
      projectId: place.project.id,
      folderId: place.folder?.id ?? null,
      deleting: line.deleting,
      onFile: (path) => {
        if (host.screen.isTerminal) host.say(printable(path));
      },
    }).catch((error: unknown) => {
      if (!(error instanceof NothingInCommon)) throw error;
      throw new CliError(
        'usage',
        `${folder} has no file in common with ${target}, so --delete would move everything there to the trash; to do so, use --delete-all`,
      );
    });
    for (const text of line.json ? [JSON.stringify(pushed)] : summary(pushed, line)) host.print(text);
    if (pushed.refused.length > 0)
      throw new CliError('failed', `${pushed.refused.length} files were not stored`);
  });
}

function summary(pushed: PushedFolder, { deleting }: CommandLine): readonly string[] {
  const { created, changed, equal, sentBytes, extra, refused } = pushed;
  const lines = [`${created} new, ${changed} changed, ${equal} unchanged (${sentBytes} bytes sent)`];
  if (extra.length > 0) {
    lines.push(
      deleting !== 'nothing'
        ? `Moved to the trash because the folder does not contain them: ${extra.length}`
        : `Only on the server: ${extra.length}; --delete moves them to the trash`,
      ...listed(extra),
    );
  }
  if (refused.length > 0)
    lines.push(
      `Not stored: ${refused.length}`,
      ...listed(refused.map(({ path, reason }) => `${path}: ${reason}`)),
    );
  return lines;
}

function listed(texts: readonly string[]): readonly string[] {
  const rest = texts.length - listedMax;
  return [
    ...texts.slice(0, listedMax).map((text) => `  ${printable(text)}`),
    ...(rest > 0 ? [`  and ${rest} more; --json lists all`] : []),
  ];
}
