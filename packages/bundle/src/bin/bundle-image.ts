import { spawn } from 'node:child_process';
import { chmod, chown, glob, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { bundleTree } from '../bundle-programs.ts';

// For an image: bundles `daybook` into the folder `bundle`, and starts it once, without a database, as the account that
// will run it, so that Node's compile cache is part of the image. Arguments: user and group id of that account.
const root = fileURLToPath(new URL('../../../../', import.meta.url));
const program = join(root, 'apps/server/src/bin/daybook.ts');
const compiled = join(root, 'apps/server/node_modules/.cache/compiled');
const [uid, gid] = process.argv.slice(2).map(Number);
const account = uid === undefined || gid === undefined ? {} : { uid, gid };

const bundled = await bundleTree(root, program);
await mkdir(compiled, { recursive: true });
if (account.uid !== undefined) await chown(compiled, account.uid, account.gid);
await startOnce(bundled);
// The account reads the cache and does not write it.
if (account.uid === undefined) process.exit();
await chown(compiled, 0, 0);
for await (const path of glob('**/*', { cwd: compiled, withFileTypes: true })) {
  const file = join(path.parentPath, path.name);
  await chown(file, 0, 0);
  await chmod(file, path.isDirectory() ? 0o755 : 0o644);
}

/** Node writes the cache when the process ends. */
async function startOnce(bundled: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const child = spawn(process.execPath, [bundled, 'api'], {
    ...account,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      PORT: '0',
      DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
      DAYBOOK_SECRET_KEY: 'ab'.repeat(32),
      DAYBOOK_DRAIN_NOTICE_MS: '0',
    },
  });
  let said = '';
  let listens = false;
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString();
    // Once: a second signal would end it at once, with an error.
    if (!listens && said.includes('"msg":"listening"')) child.kill('SIGTERM');
    listens ||= said.includes('"msg":"listening"');
  });
  child.on('error', reject).on('close', (code) => {
    if (code === 0 && listens) resolve();
    else reject(new Error(`daybook api ended with ${code ?? 'a signal'}\n${said}`));
  });
  await promise;
}
