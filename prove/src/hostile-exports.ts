import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { SuiteContext } from '@daybook/evidence';

import { readTree, runMigration } from './migration-process.ts';

const enex = (...notes: readonly string[]): string => `<en-export>${notes.join('')}</en-export>`;
const note = (content: string): string =>
  `<note><title>t</title><content><![CDATA[<en-note>${content}</en-note>]]></content></note>`;

/** Exports that are damaged or made to harm, by name. */
function hostileExports(size: number): ReadonlyMap<string, Buffer> {
  const laughs = Array.from({ length: 30 }, (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`);
  const page = (body: string): string =>
    `<article id="${'a'.repeat(32)}" class="page sans"><div class="page-body">${body}</div></article>`;
  const texts: Readonly<Record<string, string>> = {
    'laughs.enex': `<!DOCTYPE x [<!ENTITY l0 "ha">${laughs.join('')}]>${enex(note('IDEA &l30;'))}`,
    'deep.enex': '<a>'.repeat(size),
    'deep-note.enex': enex(note('<div>'.repeat(size))),
    'wide.enex': enex(note(`<div ${'x="y" '.repeat(size)}>NOTE 80</div>`)),
    'attribute.enex': enex(note(`<a href="${'x'.repeat(size * 10)}">NOTE 80</a>`)),
    'cut.enex': enex(note('NOTE 80 cut')).slice(0, -30),
    'never-ends.enex': `<en-export><note><content><![CDATA[${'x'.repeat(size)}`,
    'names.enex': enex(note('NOTE 80').replace('<title>t', '<title>../../../escape\u0007')),
    'empty.enex': '',
    'stars.org': `${'*'.repeat(size)} NOTE 80\n${'*a '.repeat(size)}\n${'[['.repeat(size)}\n`,
    'deep.json': `[{"title":"t","uid":"u","children":[${'{"string":"x","children":['.repeat(size)}`,
    'brackets.json': '['.repeat(size),
    [`deep ${'b'.repeat(32)}.html`]: page('<div>'.repeat(size)),
    [`quotes ${'c'.repeat(32)}.csv`]: `a,b\n${'"'.repeat(size)}`,
  };
  const bytes = new Map<string, Buffer>();
  for (const [name, text] of Object.entries(texts)) bytes.set(name, Buffer.from(text));
  const words = enex(note('NOTE 80 caf\u00e9'));
  bytes.set('latin1.enex', Buffer.from(words, 'latin1'));
  bytes.set('utf16.enex', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(words, 'utf16le')]));
  bytes.set('random.jex', Buffer.alloc(size, 7));
  bytes.set('escape.jex', tarWith('../../escape.md', 'NOTE 80'));
  return bytes;
}

/** Scans and approves all of them, and compares the folders around the knowledge base. */
export async function proveHostileExports(context: SuiteContext, folder: string): Promise<void> {
  const { figure, quick, root: repository } = context;
  const [exports, root] = [join(folder, 'exports'), join(folder, 'exports-root')];
  mkdirSync(exports);
  const files = hostileExports(quick ? 20_000 : 1_000_000);
  for (const [name, content] of files) writeFileSync(join(exports, name), content);
  const before = { exports: readTree(exports), around: readdirSync(folder) };
  const started = performance.now();
  const scan = await runMigration(repository, ['scan', '--json', '--source', exports, '--root', root]);
  const listed = (
    JSON.parse(scan.stdout || '{"listed":[]}') as { readonly listed: readonly { name: string }[] }
  ).listed;
  const isAccounted = (name: string): boolean => listed.some((one) => one.name.startsWith(name));
  // These are notes, and a note that was read is not listed.
  const silent = [...files.keys()].filter((name) => !/\.(?:org|html|csv)$/.test(name) && !isAccounted(name));
  figure({ name: 'hostile exports', value: files.size, unit: 'files' });
  figure({ name: 'scan of hostile exports', value: (performance.now() - started) / 1000, unit: 's' });
  figure({
    name: 'hostile exports that crash the command',
    value: scan.code === 0 || scan.code === 1 ? 0 : 1,
    unit: 'commands',
    goal: { exactly: 0 },
  });
  figure({
    name: 'hostile exports without a result',
    value: silent.length,
    unit: 'files',
    goal: { exactly: 0 },
  });
  await runMigration(repository, ['approve', '--approve-all', '--json', '--root', root]);
  const after = readTree(exports);
  const changed = [...after].filter(([name, content]) => before.exports.get(name) !== content).length;
  const stray = readdirSync(folder).filter(
    (name) => !before.around.includes(name) && name !== 'exports-root',
  ).length;
  figure({
    name: 'files that hostile exports write outside the root',
    value: changed + stray,
    unit: 'files',
    goal: { exactly: 0 },
  });
  await memoryFigure(context, folder);
}

/** Memory depends on the largest note of an export, not on its size. */
async function memoryFigure({ root: repository, figure }: SuiteContext, folder: string): Promise<void> {
  const words = '<div>some <b>words</b> of a note</div>'.repeat(300);
  const memory: number[] = [];
  for (const bytes of [3_000_000, 30_000_000]) {
    const attachment = `<resource><data encoding="base64">${'QUJD'.repeat(bytes / 4)}</data></resource>`;
    const file = join(folder, `${bytes}.enex`);
    writeFileSync(file, enex(note(words), note(words).replace('</note>', `${attachment}</note>`)));
    const args = ['scan', '--json', '--source', file, '--root', join(folder, `root-${bytes}`)];
    const { stderr } = await runMigration(repository, args, { reportsMemory: true });
    memory.push(Number(/memory (\d+)/.exec(stderr)?.[1] ?? Number.NaN));
  }
  const [small = 0, large = 0] = memory;
  figure({ name: 'memory for an export of 3 MB', value: small / 1024, unit: 'MiB' });
  figure({
    name: 'memory for 30 MB, of that for 3 MB',
    value: large / small,
    unit: 'times',
    goal: { atMost: 2 },
  });
}

function tarWith(name: string, content: string): Buffer {
  const header = Buffer.alloc(512);
  header.write(name, 0);
  header.write(content.length.toString(8).padStart(11, '0'), 124);
  header.write('        0', 148);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return Buffer.concat([
    header,
    Buffer.from(content),
    Buffer.alloc(512 - content.length),
    Buffer.alloc(1024),
  ]);
}
