import { open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

import type { LogSigner, TreeToSign } from './log-keys.ts';
import { parseLogKeys } from './log-keys.ts';

export interface LogFiles {
  readonly keyFile: string;
  /** Where this host stores the last checkpoint that it signed. */
  readonly stateFile: string;
}

/** Stores its last checkpoint in a file, and signs no log that contradicts it. Throws if it may not write that file. */
export async function readLogSigner({ keyFile, stateFile }: LogFiles): Promise<LogSigner> {
  const keys = await readFile(keyFile, 'utf8').catch((cause: unknown) => {
    throw new Error(
      `cannot read the keys of the public log in ${keyFile} (${codeOf(cause)}): the account of the worker must be able to read DAYBOOK_LOG_KEY_FILE`,
      { cause },
    );
  });
  const signer = await parseLogKeys(keys);
  await checkWritable(stateFile);
  return {
    ...signer,
    sign: async (tree) => {
      await refuseFork(stateFile, signer.origin, tree);
      const note = await signer.sign(tree);
      await saveCheckpoint(stateFile, note);
      return note;
    },
  };
}

/** Without the file, a worker would sign the log of a restored database, which contradicts checkpoints of readers. */
async function checkWritable(file: string): Promise<void> {
  try {
    await (await open(file, 'a')).close();
  } catch (cause) {
    throw new Error(
      `cannot write ${file} (${codeOf(cause)}): set DAYBOOK_LOG_STATE_FILE to a file in a folder of the worker, which stores the last signed checkpoint there`,
      { cause },
    );
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'unknown error';
}

/** A restored database lacks entries that were signed: to continue it would prove a fork against its operator. */
async function refuseFork(file: string, origin: string, tree: TreeToSign): Promise<void> {
  const [signedOrigin, signedSize, signedRoot] = (await readFile(file, 'utf8')).split('\n');
  if (signedOrigin !== origin) return;
  const size = Number(signedSize);
  if (size <= tree.size && Buffer.from(await tree.rootOf(size)).toString('base64') === signedRoot) return;
  throw new Error(
    `the database does not contain the log of which ${size} entries were signed; see docs/verifiability.md on restores`,
  );
}

/** On the disk before the checkpoint is published. */
async function saveCheckpoint(file: string, note: string): Promise<void> {
  const written = await open(`${file}.new`, 'w');
  try {
    await written.writeFile(note);
    await written.sync();
  } finally {
    await written.close();
  }
  await rename(`${file}.new`, file);
  const folder = await open(dirname(file), 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
