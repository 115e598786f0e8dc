import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { expect, test } from 'vitest';

const program = fileURLToPath(new URL('../../../../bin/daybook', import.meta.url));

test.each(['api', 'record', 'newsroom'])(
  'daybook %s --help explains the command without a database or any setting',
  async (name) => {
    const { stdout } = await promisify(execFile)(process.execPath, [program, name, '--help'], {
      env: { PATH: process.env['PATH'] },
    });
    expect(stdout).toContain(`daybook ${name}`);
  },
);
