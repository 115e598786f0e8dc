import { invalidField } from '../../foundation/http/http-problems.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { addMs } from '../../foundation/instant.ts';

/** Whole seconds as digits, or empty for none; checked by the schema. */
export const secondsPattern = '^(?:[1-9][0-9]{0,9})?$';

/** Seconds count from now, the server's receipt. Empty `expires` leaves it to `expires_in`. */
export function readTokenExpiry(
  { expires, expires_in }: { readonly expires: string; readonly expires_in?: string | undefined },
  now: EpochMicroseconds,
): EpochMicroseconds | null {
  const [seconds, other] = [expires, expires_in ?? ''].filter((text) => text !== '');
  if (other !== undefined && other !== seconds) throw invalidField('expires_in', 'contradicts expires');
  return seconds === undefined ? null : addMs(now, Number(seconds) * 1000);
}
