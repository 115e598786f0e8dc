import { readFile } from 'node:fs/promises';

import type { SourceSignIn } from '../../ingest/index.ts';
import type { SourcesInput } from './sources-input.ts';

/** Read from files, so that no secret appears in a process list or a shell's history. Null: no sign-in. */
export async function signInOf(values: SourcesInput['values']): Promise<SourceSignIn | null> {
  const [passwordFile, tokenFile] = [values['password-file'], values['token-file']];
  if (passwordFile !== undefined && tokenFile !== undefined)
    throw new Error('Use --password-file or --token-file, not both.');
  if (tokenFile !== undefined) return { scheme: 'bearer', token: await firstLine(tokenFile) };
  if (passwordFile === undefined) return null;
  const line = await firstLine(passwordFile);
  const at = line.indexOf(':');
  if (at < 1) throw new Error(`${passwordFile} must contain user:password in its first line.`);
  return { scheme: 'basic', user: line.slice(0, at), password: line.slice(at + 1) };
}

async function firstLine(file: string): Promise<string> {
  const [line = ''] = (await readFile(file, 'utf8')).split(/\r?\n/u);
  if (line.trim() === '') throw new Error(`${file} is empty.`);
  return line;
}
