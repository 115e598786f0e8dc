import { execFile } from 'node:child_process';
import { realpath } from 'node:fs/promises';
import { promisify } from 'node:util';

import type { Outcome } from './check.ts';
import { failed } from './check.ts';

const run = promisify(execFile);
/** Any instance has the settings of the template and its drop-ins. */
const unit = 'daybook-worker@8081.service';
const properties = [
  'LoadState',
  'User',
  'ProtectSystem',
  'ProtectHome',
  'ReadWritePaths',
  'StateDirectory',
  'RestrictNamespaces',
];
const homes = ['/home', '/root', '/run/user'];

/**
 * Whether the worker's service may write to a folder, which this process, in a shell of root, cannot see from its own
 * attempt. Null if it may, and where systemd does not run Daybook.
 */
export async function describeSandboxFault(folder: string): Promise<Outcome | null> {
  const found = await readProperties();
  if (found?.['LoadState'] !== 'loaded') return null;
  const path = await realpath(folder);
  const writable = [
    ...(found['ReadWritePaths'] ?? '').split(' ').map((one) => one.replace(/^[-+]+/, '')),
    ...(found['StateDirectory'] ?? '').split(' ').map((name) => (name === '' ? '' : `/var/lib/${name}`)),
  ].filter((one) => one !== '');
  if (found['ProtectHome'] === 'yes' && isBelow(path, homes))
    return failed(
      `the service ${unit} cannot see ${path}`,
      'Move the folder below /var/lib/daybook, and change the setting.',
    );
  if (found['ProtectSystem'] === 'strict' && !isBelow(path, writable))
    return failed(
      `the service ${unit} may not write to ${path}`,
      `Use a folder below /var/lib/daybook, or add ReadWritePaths=${path} to the services: systemctl edit daybook-api@ daybook-worker@`,
    );
  const account = found['User'] ?? '';
  if (process.getuid?.() === 0 && account !== '' && !(await mayWrite(account, path)))
    return failed(`the account ${account} may not write to ${path}`, `Run: chown ${account}: ${path}`);
  return null;
}

/** Whether the worker's service may start sandboxes, which this process may start. Null also without systemd. */
export async function describeNamespaceFault(): Promise<string | null> {
  const found = await readProperties();
  if (found?.['LoadState'] !== 'loaded' || found['RestrictNamespaces'] === 'no') return null;
  return `the service ${unit} may not create namespaces`;
}

async function readProperties(): Promise<Readonly<Record<string, string>> | null> {
  try {
    const { stdout } = await run('systemctl', ['show', `--property=${properties.join()}`, unit]);
    const pairs = stdout.split('\n').map((line) => [line.split('=')[0] ?? '', line.replace(/^[^=]*=/, '')]);
    return Object.fromEntries(pairs) as Record<string, string>;
  } catch {
    // Another service manager runs Daybook.
    return null;
  }
}

function isBelow(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => path === folder || path.startsWith(`${folder}/`));
}

async function mayWrite(account: string, path: string): Promise<boolean> {
  try {
    await run('runuser', ['-u', account, '--', 'test', '-w', path, '-a', '-x', path]);
    return true;
  } catch {
    return false;
  }
}
