import { execFile } from 'node:child_process';
import { realpath } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Verifiers name it, so that a signature made for another purpose is not accepted. */
export const signatureNamespace = 'daybook-release';

/** Refuses a key in the repository, where it would be committed or copied with a backup of the code. */
export async function requireKeyOutside(root: string, key: string): Promise<void> {
  const path = relative(await realpath(root), await realpath(key));
  if (!path.startsWith('..')) throw new Error(`${key} is in the repository. Store the key elsewhere.`);
}

/** A key that signs one build and is deleted with it. */
export async function createTemporaryKey(folder: string): Promise<string> {
  const key = join(folder, 'key');
  await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'temporary', '-f', key]);
  return key;
}

/** Writes `<file>.sig`. */
export async function signFile(key: string, file: string): Promise<void> {
  await run('ssh-keygen', ['-Y', 'sign', '-q', '-f', key, '-n', signatureNamespace, file]);
}
