import { askAgentByName } from '@daybook/client/platform';
import { isSignedIn } from '@daybook/login';
import type { McpNews } from '@daybook/mcp';

import type { CliHost } from './cli-host.ts';
import { CliError } from './cli-host.ts';
import type { CommandLine } from './command-line.ts';
import { clientOf } from './command-line.ts';
import { withOwnMirror } from './own-mirror.ts';
import { signedIn } from './signed-in.ts';
import { storageOf } from './storage-commands.ts';

/** Serves until the agent that started it closes its end. Lists come from the mirror where one exists. */
export async function mcp(line: CommandLine, host: CliHost): Promise<void> {
  if (line.words.length > 0)
    throw new CliError('usage', 'daybook mcp takes no arguments; it reads requests from standard input');
  // Only here: no other command should wait for the protocol's modules.
  const { serveNewsOverStdio } = await import('@daybook/mcp/stdio');
  await withOwnMirror(line, host, async (mirror) => {
    host.say(
      mirror === null
        ? `Reading from ${line.server}.`
        : `Reading lists from ${mirror.path}, everything else from ${line.server}.`,
    );
    if (line.files) host.say('Also reading the files of the signed-in account.');
    const asks = await isSignedIn(host, line.server);
    const news: McpNews = {
      client: clientOf(line, host),
      mirror: mirror?.store ?? null,
      ask: asks ? (asked) => askAgentByName(signedIn(line, host), asked) : null,
      nowMs: host.nowMs,
      ...(line.files && { files: storageOf(line, host) }),
    };
    await serveNewsOverStdio(news, (error) => host.say(error.message));
  });
}
