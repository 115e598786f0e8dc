import { invalidField } from '../../foundation/http/http-problems.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { addMs } from '../../foundation/instant.ts';

/** Whole seconds as digits, or empty for none; checked by the schema. */
export const secondsPattern = '^(?:[1-9][0-9]{0,9})?$';

/** Seconds count from the time of receipt. With an empty `expires`, `expires_in` applies. */
export function readTokenExpiry(
  { expires, expires_in }: { readonly expires: string; readonly expires_in?: string | undefined },
  now: EpochMicroseconds,
): EpochMicroseconds | null {
  const [seconds, other] = [expires, expires_in ?? ''].filter((text) => text !== '');
  if (other !== undefined && other !== seconds) throw invalidField('expires_in', 'contradicts expires');
  return seconds === undefined ? null : addMs(now, Number(seconds) * 1000);
}
