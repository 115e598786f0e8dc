import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

import { expect, onTestFinished, test } from 'vitest';

import { serve } from '../../client/test/ledger-server.ts';

const program = fileURLToPath(new URL('bin/daybook.ts', import.meta.url));

test('a refusal of a hostile server does not control the terminal', async () => {
  const home = mkdtempSync(join(tmpdir(), 'daybook-cli-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const server = await serve((_, response) => {
    response.writeHead(404, { 'content-type': 'application/problem+json' });
    const detail = 'Not found\u001b]0;owned\u0007\u001b[2J\u009b31m';
    response.end(JSON.stringify({ code: 'not_found', status: 404, detail }));
  });
  onTestFinished(() => server.close());
  const id = '019a83c0-1111-7888-8999-aaaabbbbcccc';
  const ran = spawn(process.execPath, [program, 'item', id, '--url', server.baseUrl], {
    env: { ...process.env, HOME: home },
  });
  expect(await text(ran.stderr)).toBe('Not found]0;owned[2J31m (not_found)\n');
});
