import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * All that the Recommendation knows. SHA-1 too: the largest public hubs sign with nothing else, what breaks its
 * collisions does not forge an HMAC, and a forged push would buy no more than a poll.
 */
const header = /^(sha1|sha256|sha384|sha512)=([0-9a-f]{40,128})$/iu;

/** Reads the body to its end, keeping none of it. */
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
