import type { Config } from '../../config/config.ts';
import { systemClock } from '../../foundation/clock.ts';
import type { KeyUse } from '../../foundation/sealing/reseal.ts';
import { readKeyUse } from '../../foundation/sealing/reseal.ts';
import { describeSigningKeyFault } from '../../identity/wiring.ts';
import { withDatabase } from '../connections.ts';
import { sealedColumns } from '../sealed-columns.ts';
import type { Check, Outcome } from './check.ts';
import { failed, passed, skipped, warning } from './check.ts';

/** A random key of 32 bytes has fewer different bytes than this about once in 10⁹ keys. */
const differentBytesMin = 20;
const generateAdvice = 'Generate a key with `openssl rand -hex 32`';

export function secretCheck(config: Config): Check {
  return { name: 'secret key', run: () => checkSecrets(config) };
}

async function checkSecrets(config: Config): Promise<Outcome> {
  const { secretKeys } = config.identity;
  const read = await withDatabase(config, { name: 'daybook doctor' }, async (database) => ({
    fault: await describeSigningKeyFault(database, secretKeys, systemClock.now()),
    uses: await readKeyUse(database, secretKeys, sealedColumns),
  })).catch(() => null);
  if (read === null) return skipped('the database is unreachable or has no tables');
  if (read.fault !== null) return failed(read.fault, wrongKeyAdvice);
  if (secretKeys.length === 0)
    return warning(
      'DAYBOOK_SECRET_KEY is not set: accounts are disabled',
      `${generateAdvice}, if this installation should have accounts.`,
    );
  if (secretKeys.some(isGuessable))
    return failed(
      'DAYBOOK_SECRET_KEY is not random',
      `${generateAdvice}, put it first, and run \`daybook keys reseal\`.`,
    );
  return judgeUses(read.uses);
}

const wrongKeyAdvice =
  'Restore the previous key from your copy of the settings. If it is lost, nothing that it encrypted can be read: see "Keys" in docs/guides/operating.md.';

function isGuessable(keyHex: string): boolean {
  return new Set(Buffer.from(keyHex, 'hex')).size < differentBytesMin;
}

const countOf = ({ values }: KeyUse): number => values.reduce((sum, { count }) => sum + count, 0);

function judgeUses(uses: readonly KeyUse[]): Outcome {
  const unknown = uses.filter(({ state }) => state === 'unknown');
  if (unknown.length > 0)
    return failed(
      `${unknown.reduce((sum, use) => sum + countOf(use), 0)} values are encrypted with a key that is not configured`,
      'Add the previous key after the new one in DAYBOOK_SECRET_KEY, with a comma between them. `daybook keys list` names the values.',
    );
  const opening = uses.filter(({ state }) => state === 'opening');
  const total = uses.reduce((sum, use) => sum + countOf(use), 0);
  if (opening.length === 0) return passed(`one key encrypts ${total} values`);
  const old = opening.reduce((sum, use) => sum + countOf(use), 0);
  return old === 0
    ? warning(
        'DAYBOOK_SECRET_KEY contains keys that encrypt no value',
        'Remove every key after the first one.',
      )
    : warning(`${old} of ${total} values are encrypted with an earlier key`, 'Run `daybook keys reseal`.');
}
