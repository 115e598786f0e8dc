import type { Environment } from './env.ts';

/** The files of a worker that signs the public log. */
interface PublicLogConfig {
  readonly keyFile: string;
  /** Where the worker stores the last checkpoint that it signed. */
  readonly stateFile: string;
}

/** Null: checkpoints of the public log are not signed. */
export function readPublicLog(environment: Environment): PublicLogConfig | null {
  const keyFile = environment.text('DAYBOOK_LOG_KEY_FILE', '');
  const stateFile = environment.text('DAYBOOK_LOG_STATE_FILE', `${keyFile}.signed`);
  return keyFile === '' ? null : { keyFile, stateFile };
}
