import { execFile } from 'node:child_process';
import { createPublicKey } from 'node:crypto';
import { appendFile, copyFile, mkdtemp, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { readShellBlocks } from '../machine/guide-blocks.ts';
import type { BuiltRelease } from './built-release.ts';

const run = promisify(execFile);
const none = Buffer.alloc(0);

/** Executes the commands of the guide; null if all succeed, otherwise the output. */
export async function verifyAsTheGuideSays(
  root: string,
  release: BuiltRelease,
  folder: string,
): Promise<string | null> {
  const blocks = await readShellBlocks(join(root, 'docs/guides/releases.md'));
  const script = blocks.filter(({ heading }) => heading === 'Verify a release').map(({ text }) => text);
  if (script.length !== 1) throw new Error('the guide has not one block of commands that verify a release');
  const env = {
    ...process.env,
    RELEASE: folder,
    SIGNERS: release.signers,
    SIGNER: release.signer,
    COMMIT: release.commit,
  };
  return run('bash', ['-euo', 'pipefail', '-c', script.join('\n')], { env }).then(
    () => null,
    ({ stdout = '', stderr = '' }: { readonly stdout?: string; readonly stderr?: string }) =>
      `${stdout}${stderr}`,
  );
}

/** Changes of the files that the commands accept, each tried alone; with a true verification none. */
export async function findAcceptedChanges(root: string, release: BuiltRelease): Promise<readonly string[]> {
  const names = await readdir(release.folder);
  const changes = new Map<string, (folder: string) => Promise<void>>(
    names
      .filter((name) => !name.startsWith('SHA256SUMS'))
      .map((name) => [`one byte more in ${name}`, (folder) => appendTo(folder, name, ' ')]),
  );
  const notes = 'NOTES.md';
  changes.set('other notes with their digest', async (folder) => {
    await appendTo(folder, notes, 'Other notes.\n');
    const sums = await readFile(join(folder, 'SHA256SUMS'), 'utf8');
    const { stdout } = await run('sha256sum', [notes], { cwd: folder });
    await rm(join(folder, 'SHA256SUMS'));
    await writeFile(join(folder, 'SHA256SUMS'), sums.replace(/^.*NOTES\.md$/m, stdout.trim()));
  });
  changes.set('a signature by another key', async (folder) => {
    await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, '../other')]);
    await rm(join(folder, 'SHA256SUMS.sig'));
    const words = ['-Y', 'sign', '-f', join(folder, '../other'), '-n', 'daybook-release'];
    await run('ssh-keygen', [...words, join(folder, 'SHA256SUMS')]);
  });
  changes.set('a signature for another purpose', async (folder) => {
    const key = join(release.folder, '../key');
    await rm(join(folder, 'SHA256SUMS.sig'));
    await run('ssh-keygen', ['-Y', 'sign', '-f', key, '-n', 'git', join(folder, 'SHA256SUMS')]);
  });
  const accepted: string[] = [];
  for (const [name, change] of changes) {
    const parent = await mkdtemp(join(tmpdir(), 'prove-changed-'));
    const folder = join(parent, 'files');
    try {
      await run('cp', ['--archive', '--link', release.folder, folder]);
      await change(folder);
      if ((await verifyAsTheGuideSays(root, release, folder)) === null) accepted.push(name);
    } finally {
      await rm(parent, { recursive: true });
    }
  }
  return accepted;
}

/** The files of the folder are links to those of the release: a changed one is another file. */
async function appendTo(folder: string, name: string, text: string): Promise<void> {
  const copy = join(folder, '../copy');
  await copyFile(join(folder, name), copy);
  await appendFile(copy, text);
  await rename(copy, join(folder, name));
}

/** The signature, taken out of its SSH envelope and verified by OpenSSL. */
export async function verifyByOpenSsl(release: BuiltRelease): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'prove-signature-'));
  try {
    const sums = join(release.folder, 'SHA256SUMS');
    const armored = await readFile(`${sums}.sig`, 'utf8');
    const envelope = Buffer.from(armored.replaceAll(/-----.*-----/g, ''), 'base64');
    // After the magic word and the version.
    const [, namespace = none, reserved = none, algorithm = none, blob = none] = readStrings(
      envelope.subarray(10),
    );
    const [, signature = none] = readStrings(blob);
    await copyFile(sums, join(folder, 'sums'));
    const { stdout: digest } = await run('openssl', ['dgst', `-${algorithm.toString()}`, '-binary', 'sums'], {
      cwd: folder,
      encoding: 'buffer',
    });
    const parts = [namespace, reserved, algorithm, digest];
    const signed = Buffer.concat([Buffer.from('SSHSIG'), ...parts.flatMap((part) => [lengthOf(part), part])]);
    await writeFile(join(folder, 'signed'), signed);
    await writeFile(join(folder, 'signature'), signature);
    await writeFile(join(folder, 'key.pem'), publicKeyPem(release.publicKey));
    const words = ['pkeyutl', '-verify', '-pubin', '-inkey', 'key.pem', '-rawin', '-in', 'signed'];
    const { stdout } = await run('openssl', [...words, '-sigfile', 'signature'], { cwd: folder });
    return stdout.includes('Verified Successfully');
  } finally {
    await rm(folder, { recursive: true });
  }
}

function lengthOf(part: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(part.length);
  return length;
}

/** Values of the SSH wire format: a length and as many bytes. */
function readStrings(buffer: Buffer): readonly Buffer[] {
  const strings: Buffer[] = [];
  for (let at = 0; at + 4 <= buffer.length;) {
    const length = buffer.readUInt32BE(at);
    strings.push(buffer.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return strings;
}

function publicKeyPem(line: string): string | Buffer {
  const [, key = none] = readStrings(Buffer.from(line.split(' ')[1] ?? '', 'base64'));
  return createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: key.toString('base64url') },
    format: 'jwk',
  }).export({ type: 'spki', format: 'pem' });
}
