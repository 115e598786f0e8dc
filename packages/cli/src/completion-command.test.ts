import { spawnSync } from 'node:child_process';

import { expect, it } from 'vitest';

import type { CliHost } from './cli-host.ts';
import { cliCommands } from './program.ts';

async function script(shell: string): Promise<string> {
  const out: string[] = [];
  const host = { print: (line: string) => out.push(line) } as unknown as CliHost;
  await cliCommands.find(({ name }) => name === 'completion')?.run([shell], host);
  return out.join('\n');
}

/** The words that bash offers for the last word of the line. */
async function offered(...line: readonly string[]): Promise<readonly string[]> {
  const words = line.map((word) => `'${word}'`).join(' ');
  const ask = `COMP_WORDS=(${words}); COMP_CWORD=${line.length - 1}; _daybook; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync('bash', ['-c', `${await script('bash')}\n${ask}`], {
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return stdout.trim().split('\n');
}

it('bash completes commands, their words, flags and choices', async () => {
  expect(await offered('daybook', 'mi')).toEqual(['mirror']);
  expect(await offered('daybook', 'mirror', 're')).toEqual(['repair']);
  expect(await offered('daybook', 'today', '--ca')).toEqual(['--category']);
  expect(await offered('daybook', 'today', '--category', 'ai-')).toEqual(['ai-models', 'ai-products']);
  expect(await offered('daybook', 'hot', '--ca')).toEqual(['']);
  expect(await offered('daybook', 'organizations', 'c')).toEqual(['create']);
  expect(await offered('daybook', 'completion', 'f')).toEqual(['fish']);
});

it.each(['zsh', 'fish'])('%s is offered every command with its flags', async (shell) => {
  const written = await script(shell);
  for (const { name, flags } of cliCommands) {
    expect(written).toMatch(new RegExp(`\\b${name}\\b`));
    expect(flags.filter((flag) => !new RegExp(`(?:--|-l )${flag}\\b`).test(written))).toEqual([]);
  }
});
