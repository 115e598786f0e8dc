import { readFile } from 'node:fs/promises';

import type { SourceDesk, SourceSettings, SourceSignIn } from '../../ingest/index.ts';
import { listFormOf } from './list-form.ts';
import type { SourcesInput } from './sources-input.ts';

/** The format of the list at an address, and the sign-in that its publisher requires, from the options. */
export async function listSettings(
  desk: SourceDesk,
  values: SourcesInput['values'],
  address: URL,
): Promise<Pick<SourceSettings, 'form' | 'sealedAuthorization'>> {
  const signIn = await signInOf(values);
  return {
    form: listFormOf(values),
    sealedAuthorization: signIn === null ? null : desk.sealSignIn(address.href, signIn),
  };
}

/** Read from files, so that no secret appears in a process list or a shell's history. Null: no sign-in. */
async function signInOf(values: SourcesInput['values']): Promise<SourceSignIn | null> {
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
