import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * The methods of WebSub section 7.1. SHA-1 is accepted because the largest public hubs sign with nothing else: collisions
 * do not forge an HMAC, and a forged push causes at most one poll.
 */
const header = /^(sha1|sha256|sha384|sha512)=([0-9a-f]{40,128})$/iu;

/** Reads the body to its end and stores none of it. */
export async function isSignedWith(
  secret: string,
  signature: string | undefined,
  body: AsyncIterable<Uint8Array>,
): Promise<boolean> {
  const [, method = 'sha256', hex = ''] = header.exec(signature ?? '') ?? [];
  const hmac = createHmac(method.toLowerCase(), secret);
  for await (const chunk of body) hmac.update(chunk);
  const expected = hmac.digest();
  const given = Buffer.from(hex, 'hex');
  return given.length === expected.length && timingSafeEqual(given, expected);
}
