import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { describe, expect, test } from 'vitest';

import { commands } from '../../src/bin/commands.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const units = readdirSync(`${root}deploy/systemd`);
const services = units.filter((name) => name.endsWith('.service'));
const exposureMax = 3;

const missing = spawnSync('systemd-analyze', ['--version']).error;
if (missing !== undefined)
  process.emitWarning('the exposure of services is not tested: systemd-analyze is not installed');

describe.skipIf(missing !== undefined)('the service', () => {
  test.each(services)('%s is little exposed', (name) => {
    const { stdout } = spawnSync(
      'systemd-analyze',
      ['security', '--offline=true', '--no-pager', `${root}deploy/systemd/${name}`],
      { encoding: 'utf8' },
    );
    const [, exposure = ''] = /Overall exposure level for \S+: ([\d.]+)/.exec(stdout) ?? [];
    expect(exposure).not.toBe('');
    expect(Number(exposure)).toBeLessThan(exposureMax);
  });
});

/** Every `daybook …` of a text, as words. */
function commandsIn(text: string): readonly (readonly string[])[] {
  return [...text.matchAll(/(?:^|[`\s;/&])daybook ([a-z][a-z-]*(?: [a-z][a-z-]*)?)/gm)].map(
    ([, words = '']) => words.split(' '),
  );
}

test.each(['docs/guides/operating.md', ...units.map((name) => `deploy/systemd/${name}`)])(
  '%s names only commands that exist',
  (path) => {
    const text = readFileSync(`${root}${path}`, 'utf8').replaceAll(/^Description=.*$/gm, '');
    const known = (words: readonly string[]): boolean => {
      const [name = '', action = ''] = words;
      const command = commands.find((one) => one.name === name);
      if (command === undefined) return false;
      const actions = Object.keys(command.actions ?? {}).map((one) => one.split(' ')[0] ?? '');
      return actions.length === 0 || actions[0]?.startsWith('-') === true || command.usage.includes(action);
    };
    expect(commandsIn(text).filter((words) => !known(words))).toEqual([]);
  },
);

test('the units start the ports that the guide and the edge use', () => {
  const guide = readFileSync(`${root}docs/guides/operating.md`, 'utf8');
  const started = [...guide.matchAll(/daybook-api@(\d+)/g)].map(([, port = '']) => port);
  const upstreams = [...guide.matchAll(/DAYBOOK_EDGE_API_\d=127\.0\.0\.1:(\d+)/g)].map(
    ([, port = '']) => port,
  );
  expect(new Set(started)).toEqual(new Set(upstreams));
  const named = [...guide.matchAll(/daybook-(?:api|worker|edge|revocations)(?:@\d+)?(?:\.timer)?/g)];
  expect(named.length).toBeGreaterThan(10);
  for (const [name] of named) {
    const unit = name.replace(/@\d+/, '@');
    expect(units).toContain(unit.endsWith('.timer') ? unit : `${unit}.service`);
  }
});

test('the checks of `daybook doctor` name only files that exist', () => {
  const folder = `${root}apps/server/src/wiring/doctor/`;
  const texts = readdirSync(folder).map((name) => readFileSync(`${folder}${name}`, 'utf8'));
  const named = texts.flatMap((text) => text.match(/\b(?:deploy|docs)\/[\w./-]+\w/g) ?? []);
  expect(named.length).toBeGreaterThan(3);
  expect(named.filter((path) => !existsSync(`${root}${path}`))).toEqual([]);
});
