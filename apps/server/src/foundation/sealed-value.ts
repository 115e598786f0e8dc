import type { Clock } from './clock.ts';
import type { SecretBox } from './secret-box.ts';

const sealedCharsMax = 4_000;

export interface SealDeps {
  readonly clock: Clock;
  readonly secretBox: SecretBox;
}

/** State that a browser stores for us in a cookie or a form: encrypted and authenticated. */
export function sealValue(deps: SealDeps, purpose: string, value: object, lifetimeMs: number): string {
  const plain = Buffer.from(JSON.stringify({ ...value, expiresAtMs: deps.clock.nowMs() + lifetimeMs }));
  return deps.secretBox.seal(plain, purpose).toString('base64url');
}

/** Null if it was not sealed here for this purpose, or has expired. */
export function openValue<Value extends object>(
  deps: SealDeps,
  purpose: string,
  sealed: string,
): Value | null {
  if (sealed.length > sealedCharsMax) return null;
  let plain: Buffer;
  try {
    plain = deps.secretBox.open(Buffer.from(sealed, 'base64url'), purpose);
  } catch {
    return null;
  }
  const { expiresAtMs, ...value } = JSON.parse(plain.toString()) as Value & { readonly expiresAtMs: number };
  return deps.clock.nowMs() < expiresAtMs ? (value as unknown as Value) : null;
}
