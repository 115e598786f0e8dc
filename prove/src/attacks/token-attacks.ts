import type { JWTPayload } from 'jose';
import { SignJWT, decodeJwt, decodeProtectedHeader, generateKeyPair } from 'jose';

export interface TokenAttack {
  readonly name: string;
  readonly token: string;
}

const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Tokens forged from one real token and the published keys. */
export async function tokenAttacks(
  real: string,
  keySet: { readonly keys: readonly Readonly<Record<string, string>>[] },
): Promise<readonly TokenAttack[]> {
  const [head = '', payload = '', signature = ''] = real.split('.');
  const { kid = '' } = decodeProtectedHeader(real);
  const claims = decodeJwt(real);
  const attacks: TokenAttack[] = [];
  for (const alg of ['none', 'None', 'NONE', 'nOnE'])
    for (const end of ['', signature])
      attacks.push({ name: `alg ${alg}`, token: `${base64({ alg, kid, typ: 'at+jwt' })}.${payload}.${end}` });
  const [jwk = {}] = keySet.keys;
  const point = Buffer.concat([
    Buffer.from([4]),
    Buffer.from(jwk['x'] ?? '', 'base64url'),
    Buffer.from(jwk['y'] ?? '', 'base64url'),
  ]);
  const secrets = {
    jwk: JSON.stringify(jwk),
    set: JSON.stringify(keySet),
    point,
    x: `${jwk['x']}`,
    kid,
    empty: ' ',
  };
  for (const [name, secret] of Object.entries(secrets))
    for (const alg of ['HS256', 'HS384', 'HS512'])
      attacks.push({
        name: `${alg} with the public key (${name})`,
        token: await new SignJWT(claims)
          .setProtectedHeader({ alg, kid, typ: 'at+jwt' })
          .sign(
            Buffer.from(secret).length < 64
              ? Buffer.concat([Buffer.from(secret), Buffer.alloc(64)])
              : Buffer.from(secret),
          ),
      });
  attacks.push(...(await foreignKeyAttacks(kid, claims)));
  attacks.push(
    { name: 'another role', token: `${head}.${base64({ ...claims, role: 'superuser' })}.${signature}` },
    { name: 'a longer life', token: `${head}.${base64({ ...claims, exp: 9_999_999_999 })}.${signature}` },
    { name: 'a cut signature', token: `${head}.${payload}.${signature.slice(0, 40)}` },
    { name: 'a zero signature', token: `${head}.${payload}.${Buffer.alloc(64).toString('base64url')}` },
    { name: 'no signature', token: `${head}.${payload}.` },
    { name: 'four parts', token: `${real}.x` },
    { name: 'two tokens', token: `${real},${real}` },
    { name: 'ten kilobytes', token: `${head}.${'x'.repeat(10_000)}.${signature}` },
  );
  return attacks;
}

async function foreignKeyAttacks(kid: string, claims: JWTPayload): Promise<readonly TokenAttack[]> {
  const attacks: TokenAttack[] = [];
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
  const own = await crypto.subtle.exportKey('jwk', publicKey);
  const headers = {
    'our kid': { kid },
    'a foreign kid': { kid: 'foreign' },
    'a path as kid': { kid: '../../../dev/null' },
    'SQL as kid': { kid: `' OR '1'='1` },
    'no kid': {},
    'an embedded key': { kid, jwk: own },
    'a key address': { kid: 'x', jku: 'http://127.0.0.1:1/jwks.json' },
    'a critical extension': { kid, crit: ['b64'], b64: true },
  };
  for (const [name, header] of Object.entries(headers))
    attacks.push({
      name: `the attacker's key under ${name}`,
      token: await new SignJWT(claims)
        .setProtectedHeader({ ...header, alg: 'ES256', typ: 'at+jwt' })
        .sign(privateKey),
    });
  return attacks;
}
