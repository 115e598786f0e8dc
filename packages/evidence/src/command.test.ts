import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { runCommand } from './command.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'daybook-suites-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Runs the suites of a folder that contains these. Each is the body of its `run`. */
async function run(
  bodies: Readonly<Record<string, string>>,
  options: {
    readonly more?: readonly string[];
    readonly full?: true;
    readonly suite?: string;
    readonly elapsedMs?: () => number;
    readonly command?: 'bench' | 'prove';
    readonly root?: string;
  } = {},
): Promise<{ code: number; notes: readonly string[]; lines: readonly string[] }> {
  const suites = join(folder, crypto.randomUUID());
  await mkdir(suites);
  for (const [name, body] of Object.entries(bodies)) {
    await writeFile(
      join(suites, `${name}.ts`),
      `export const suite = { name: '${name}', summary: '', promise: '', ${options.suite ?? ''}
        run: async (context: any) => { ${body} } };`,
    );
  }
  const [notes, lines]: [string[], string[]] = [[], []];
  const code = await runCommand({
    name: options.command ?? 'prove',
    suitesFolder: pathToFileURL(`${suites}/`),
    root: options.root ?? folder,
    document: join(folder, 'guarantees.md'),
    today: '2026-11-17',
    arguments: ['--all', ...(options.full ? [] : ['--quick']), ...(options.more ?? [])],
    print: (line) => lines.push(line),
    note: (line) => notes.push(line),
    ...(options.elapsedMs && { elapsedMs: options.elapsedMs }),
  });
  return { code, notes, lines };
}

test('--all --quick skips figures that only the nightly run measures', async () => {
  const { code, lines } = await run({ quiet: `throw new Error('it ran');` }, { suite: 'nightly: true,' });
  expect([code, lines]).toEqual([0, []]);
});

test('writes every figure to the evidence folder and one row to the document', async () => {
  const document = join(folder, 'guarantees.md');
  await writeFile(document, '# Guarantees\n\n| Suite | Guarantee | Date | Result |\n|---|---|---|---|\n');
  await run(
    {
      kept: `context.figure({ name: 'tried', value: 7, unit: 'items' });
        context.figure({ name: 'lost', value: 0, unit: 'items', goal: { exactly: 0 } });`,
    },
    { more: ['--update-docs'], full: true },
  );
  expect(await readFile(document, 'utf8')).toContain(
    '| kept |  | 2026-11-17 | 1 of 1 goals met; tried: 7 items |\n',
  );
  expect(await readFile(join(folder, 'evidence/prove/kept.md'), 'utf8')).toMatch(/\| lost \| 0 items \|/);
  expect((await run({}, { more: ['--update-docs'] })).code, 'of a quick run').toBe(2);
  const shortened = ['--minutes', '3', '--update-docs'];
  expect((await run({}, { more: shortened, full: true })).code, 'of a shortened run').toBe(2);
});

test.each(['', 'measuresNoTime: true,'])(
  '--minutes sets how long suites with a chosen duration run %s',
  async (suite) => {
    const body = `context.figure({ name: 'f', value: context.minutes ?? -1, unit: 'minutes', goal: { exactly: 2.5 } });`;
    const bodies = { timed: body, other: body };
    expect((await run(bodies, { suite, more: ['--minutes', '2.5'] })).code).toBe(0);
    expect((await run(bodies, { suite })).code, 'without it').toBe(1);
    expect((await run(bodies, { suite, more: ['--minutes', 'x'] })).code).toBe(2);
  },
);

describe('a suite that did not run', () => {
  const absent = { absent: `context.didNotRun('no nginx');` };

  test('is named and does not fail a run by hand', async () => {
    const { code, notes } = await run(absent);
    expect(notes).toContain('DID NOT RUN: absent: no nginx');
    expect(code).toBe(0);
  });

  test('fails a run with --must-run', async () => {
    expect((await run(absent, { more: ['--must-run'] })).code).toBe(1);
  });
});

describe('a suite whose data set is missing', () => {
  const reading = { reading: `throw new Error('it ran');` };
  const suite = `dataSets: ['notes', 'feeds'],`;
  const more = ['--must-run'];

  /** The root of a clone that has these data sets beside it. */
  const cloneBeside = async (...dataSets: readonly string[]): Promise<string> => {
    const parent = join(folder, crypto.randomUUID());
    await mkdir(join(parent, 'clone'), { recursive: true });
    for (const dataSet of dataSets) await mkdir(join(parent, 'shared/data', dataSet), { recursive: true });
    return `${join(parent, 'clone')}/`;
  };

  test.each(['', 'measuresNoTime: true,'])(
    'is skipped on a machine without any data, also with --must-run, and says where the data belongs %s',
    async (timing) => {
      const root = await cloneBeside();
      const bodies = { ...reading, other: '' };
      const { code, notes } = await run(bodies, { suite: suite + timing, root, more });
      expect(notes).toContain(
        'skipped: reading: data set notes (put it at ../shared/data/notes), data set feeds (put it at ../shared/data/feeds)',
      );
      expect(notes.at(-1)).toMatch(/0 did not run, 2 skipped$/);
      expect(code).toBe(0);
    },
  );

  test('did not run on a machine that has other data, which fails a run with --must-run', async () => {
    const root = await cloneBeside('notes');
    const { code, notes } = await run(reading, { suite, root, more });
    expect(notes).toContain('DID NOT RUN: reading: data set feeds (put it at ../shared/data/feeds)');
    expect(code).toBe(1);
    expect((await run(reading, { suite, root })).code).toBe(0);
  });

  test('runs once the data is in its place', async () => {
    const root = await cloneBeside('notes', 'feeds');
    const body = `context.note(context.data('feeds')); context.figure({ name: 'f', value: 1, unit: 'x' });`;
    const { code, notes } = await run({ reading: body }, { suite, root, more });
    expect(notes).toContain(`  ${join(root, '../shared/data/feeds')}`);
    expect(code).toBe(0);
  });
});

describe('the seconds of a suite', () => {
  test('are printed, and more than 40 fail --all --quick', async () => {
    const { code, notes } = await run({ brief: '' });
    expect(code).toBe(0);
    expect(notes).toContainEqual(expect.stringMatching(/brief took 0\.\d s/));
    let passedMs = -90_000;
    const slow = await run({ lengthy: '' }, { elapsedMs: () => (passedMs += 90_000) });
    expect(slow.code).toBe(1);
    expect(slow.notes).toContain('  lengthy took 90.0 s');
    expect(slow.notes).toContainEqual(
      expect.stringMatching(/^FAILED: lengthy would take \d\d\.\d s on a machine at rest; .* allows 40 s$/),
    );
  });
});

describe('with --all --quick, of a benchmark', () => {
  const command = 'bench';
  /** Returns a different value the second time. */
  const swaying = (first: string, second: string): string => `
    const { existsSync, writeFileSync } = await import('node:fs');
    const mark = context.root + '/' + ${JSON.stringify(crypto.randomUUID())};
    const isFirst = !existsSync(mark);
    writeFileSync(mark, '');
    if (isFirst) { ${first} } else { ${second} }`;
  const figure = (value: number, unit: string): string =>
    `context.figure({ name: 'f', value: ${value}, unit: '${unit}', goal: { atMost: 1 } });`;

  test('a time that fails is measured once more, and the second one counts', async () => {
    const noisy = await run({ noisy: swaying(figure(5, 'ms'), figure(1, 'ms')) }, { command });
    expect(noisy.code).toBe(0);
    expect(noisy.notes.join()).toMatch(/noisy failed after .* s and is measured once more/);
    expect((await run({ slow: figure(5, 'ms') }, { command })).code).toBe(1);
  });

  test('a count that fails has failed', async () => {
    const body = swaying(figure(5, 'ms') + figure(5, 'items'), figure(1, 'items'));
    expect((await run({ wrong: body }, { command })).code).toBe(1);
  });

  test('counts a guarantee that does not hold as failed in every unit', async () => {
    expect((await run({ late: swaying(figure(5, 'ms'), figure(1, 'ms')) })).code).toBe(1);
  });
});

test('a run of several suites ends with the seconds of each, the slowest first', async () => {
  let passedMs = 0;
  const { notes } = await run(
    { brief: '', lengthy: '' },
    { elapsedMs: () => (passedMs = 2 * passedMs + 500) },
  );
  const from = notes.indexOf('\nseconds of each suite:');
  expect(notes.slice(from + 1, from + 3)).toEqual(['  4.0  lengthy', '  1.0  brief']);
});

describe('a suite that throws', () => {
  test('fails the run, keeps the figures it had and lets the others run', async () => {
    const { code, notes, lines } = await run({
      broken: `context.figure({ name: 'before', value: 1, unit: 'x' }); throw new Error('no table');`,
      sound: `context.figure({ name: 'after', value: 1, unit: 'x' });`,
    });
    expect(code).toBe(1);
    expect(lines.filter((line) => line.includes('·'))).toHaveLength(2);
    expect(notes).toContainEqual(expect.stringMatching(/FAILED: broken crashed: Error: no table/));
  });
});

describe('suites that measure no time', () => {
  const suite = 'measuresNoTime: true,';
  /** Ends only when the other one has begun. */
  const meet = (own: string, other: string): string => `
    const { existsSync, writeFileSync } = await import('node:fs');
    writeFileSync(context.root + '/${own}', '');
    for (let tries = 0; !existsSync(context.root + '/${other}'); tries += 1) {
      if (tries > 1000) throw new Error('alone');
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    context.note('met');
    context.figure({ name: '${own}', value: 1, unit: 'x' });`;

  test('run two at a time, and their lines do not mix', async () => {
    const { code, lines, notes } = await run({ a: meet('a', 'b'), b: meet('b', 'a') }, { suite });
    expect(notes.filter((note) => note.trim() === 'met')).toHaveLength(2);
    expect(code).toBe(0);
    const printed = lines.map((line) => line.trim());
    expect([printed.slice(0, 2), printed.slice(2)]).toEqual(
      expect.arrayContaining([
        ['a:', '· a: 1 x'],
        ['b:', '· b: 1 x'],
      ]),
    );
  });

  test('fail the run when their process throws or dies', async () => {
    const bodies = { dies: `process.kill(process.pid, 'SIGKILL');`, throws: `throw new Error('no table');` };
    const { code, notes } = await run(bodies, { suite });
    expect(code).toBe(1);
    expect(notes.join()).toMatch(/dies crashed: ended with a signal/);
    expect(notes.join()).toMatch(/throws crashed: ended with 1.*no table/s);
  });

  test('say loudly that they did not run', async () => {
    const { notes } = await run({ a: `context.didNotRun('no data');`, b: '' }, { suite });
    expect(notes).toContain('DID NOT RUN: a: no data');
  });
});
