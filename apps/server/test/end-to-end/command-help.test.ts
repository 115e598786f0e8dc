import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

import { expect, test } from 'vitest';

const run = promisify(execFile);
const program = fileURLToPath(new URL('../../../../bin/daybook', import.meta.url));

test.each(['api', 'record', 'newsroom'])(
  'daybook %s --help explains the command without a database or any setting',
  async (name) => {
    const { stdout } = await run(process.execPath, [program, name, '--help'], {
      env: { PATH: process.env['PATH'] },
    });
    expect(stdout).toContain(`daybook ${name}`);
  },
);

test('an older Node prints which version Daybook needs', async () => {
  const older = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.8' } })`;
  const ran = run(process.execPath, [
    '--import',
    `data:text/javascript,${encodeURIComponent(older)}`,
    program,
  ]);
  await expect(ran).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('needs Node 26 or newer; this is Node 18.20.8') as string,
  });
  // Node 12 to 16 run a file without an extension only as CommonJS.
  expect(await readFile(new URL('package.json', pathToFileURL(program)), 'utf8')).toContain('"commonjs"');
});
