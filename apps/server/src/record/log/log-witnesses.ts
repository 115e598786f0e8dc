import { parseVerifierKey } from '@daybook/client/log';

import type { LogWitness } from './cosign-log.ts';

/** Throws if a key is not one of a witness. */
export async function readLogWitnesses(
  witnesses: readonly { readonly key: string; readonly url: string }[],
): Promise<readonly LogWitness[]> {
  return Promise.all(
    witnesses.map(async ({ key: text, url }) => {
      const key = await parseVerifierKey(text);
      if (key === null || key.kind !== 'witness')
        throw new Error(`${text} in DAYBOOK_LOG_WITNESSES is not the key of a witness`);
      return { key, url };
    }),
  );
}
