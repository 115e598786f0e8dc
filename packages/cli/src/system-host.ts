import { spawnSync } from 'node:child_process';
import { homedir } from 'node:os';

import { openBrowser } from '@daybook/login';

import type { CliHost } from './cli-host.ts';
import { withoutControls } from './terminal-text.ts';

const pipeColumns = 100;

/** This process as a host. */
export function systemHost(): CliHost {
  const { stdout, stderr, env } = process;
  const isTerminal = stdout.isTTY;
  const screen = { columns: isTerminal ? stdout.columns : pipeColumns, isTerminal };
  const print = (line: string): void => {
    stdout.write(`${withoutControls(line, screen)}\n`);
  };
  return {
    env,
    home: homedir(),
    // oxlint-disable-next-line no-restricted-globals -- the one clock of the commands
    nowMs: () => Date.now(),
    print,
    say: (line) => {
      stderr.write(`${withoutControls(line, { isTerminal: true })}\n`);
    },
    openBrowser,
    screen,
    fetch: globalThis.fetch,
    page: (lines) => {
      const text = `${withoutControls(lines.join('\n'), { isTerminal: true })}\n`;
      const isLong = isTerminal && lines.length >= stdout.rows;
      if (!isLong || !paged(text, env['PAGER'] ?? 'less -FRX')) stdout.write(text);
    },
  };
}

/** False if no pager is available. */
function paged(text: string, pager: string): boolean {
  const { error, status } = spawnSync(pager, {
    shell: true,
    input: text,
    stdio: ['pipe', 'inherit', 'ignore'],
  });
  return error === undefined && status !== 127;
}
