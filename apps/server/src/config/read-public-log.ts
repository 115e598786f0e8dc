import type { Environment } from './env.ts';

/** The files of a worker that signs the public log. */
interface PublicLogConfig {
  readonly keyFile: string;
  /** Where the worker stores the last checkpoint that it signed. */
  readonly stateFile: string;
  /** Who cosigns checkpoints: verifier key and address of each. */
  readonly witnesses: readonly { readonly key: string; readonly url: string }[];
}

/** Null: checkpoints of the public log are not signed. */
export function readPublicLog(environment: Environment): PublicLogConfig | null {
  const keyFile = environment.text('DAYBOOK_LOG_KEY_FILE', '');
  const stateFile = environment.text('DAYBOOK_LOG_STATE_FILE', `${keyFile}.signed`);
  const listed = environment.text('DAYBOOK_LOG_WITNESSES', '');
  const witnesses = listed
    .split(',')
    .filter((one) => one.trim() !== '')
    .map(readWitness);
  return keyFile === '' ? null : { keyFile, stateFile, witnesses };
}

function readWitness(text: string): PublicLogConfig['witnesses'][number] {
  const [key = '', url = '', ...more] = text.trim().split(/\s+/u);
  if (more.length > 0 || !/^https?:\/\//u.test(url) || !URL.canParse(url))
    throw new Error(
      'DAYBOOK_LOG_WITNESSES must have the key and the address of each witness: name+1a2b3c4d+BASE64 https://witness.example',
    );
  return { key, url: url.replace(/\/+$/u, '') };
}
