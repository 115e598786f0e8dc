/** The part of the sign-in address after `?`, as an attacker writes it into a link. */
const evil = 'evil.example';

const ports = [
  '50000@evil.example',
  '50000%40evil.example',
  '50000.evil.example',
  '50000/@evil.example',
  '50000%2F%2Fevil.example',
  '50000%5C%5Cevil.example',
  '50000%23@evil.example',
  '50000%3F@evil.example',
  ':50000@evil.example',
  '@evil.example',
  'evil.example',
  '50000%0d%0aLocation:%20https://evil.example',
  '50000%0aSet-Cookie:%20a=b',
  '50000%00',
  '50000%00.evil.example',
  '%EF%BC%95%EF%BC%90%EF%BC%90%EF%BC%90%EF%BC%90',
  '%D9%A5%D9%A0%D9%A0%D9%A0%D9%A0',
  '%F0%9D%9F%93%F0%9D%9F%8E%F0%9D%9F%8E%F0%9D%9F%8E%F0%9D%9F%8E',
  '-50000',
  '%2B50000',
  '50000.0',
  '50000.5',
  '5e4',
  '0xC350',
  '0b1100001101010000',
  '0o141520',
  '050000',
  '50_000',
  '50,000',
  '%2050000',
  '50000%20',
  '50000%09',
  '',
  '0',
  '1',
  '22',
  '80',
  '443',
  '49151',
  '65536',
  '115536',
  '4294967296',
  '18446744073709601616',
  'NaN',
  'Infinity',
  'null',
  'true',
  '[50000]',
  '%7B%7D',
];
const wholes = [
  `source=api&port=50000&port=443`,
  `source=api&port[]=50000`,
  `source=api&port[0]=50000&port[1]=${evil}`,
  `source=api&port=50000&host=${evil}`,
  `source=api&port=50000&redirect_uri=https://${evil}`,
  `source=api&port=50000&callback=https://${evil}`,
  `source=api&port=50000&source=web`,
  `source=API&port=50000`,
  `source=api%00&port=50000`,
  `port=50000`,
  `source=api`,
  `source=api&port=50000#@${evil}`,
  `source=api&port=50000;host=${evil}`,
  `source=api&port=50000&state=%0d%0aLocation:%20https://${evil}`,
  `source=api&port=50000&state=@${evil}/`,
  `source=api&port=50000&state=%26token%3Dstolen`,
  `source=api&port=50000&state=%23https://${evil}`,
  `source=api&port=50000&code_challenge=x&code_challenge_method=S256`,
  `source=api&port=50000&code_challenge=${'a'.repeat(43)}&code_challenge_method=plain`,
  `source=api&port=50000&__proto__[port]=443`,
];
const returns = [
  `https://${evil}`,
  `//${evil}`,
  `///${evil}`,
  `/%2F${evil}`,
  `%2F%2F${evil}`,
  `%5C%5C${evil}`,
  `/%5C${evil}`,
  `%09//${evil}`,
  `/%09/${evil}`,
  `/account/..//${evil}`,
  `/account/%2e%2e/%2e%2e//${evil}`,
  `/account@${evil}`,
  `/account%0d%0aLocation:%20https://${evil}`,
  `/account%00`,
  `/account?next=//${evil}`,
  `/account%23//${evil}`,
  `/account//${evil}`,
  `javascript:alert(1)`,
  `data:text/html,x`,
  `http:${evil}`,
  `https:/${evil}`,
  `.${evil}`,
  `@${evil}`,
  `%E3%80%82${evil}`,
  `/auth/join/../../..//${evil}`,
  `/platform:80@${evil}`,
];

export const redirectAttacks: readonly string[] = [
  ...ports.map((port) => `source=api&port=${port}`),
  ...wholes,
  ...returns.map((target) => `return=${target}`),
];

/** Whether the target of a redirect is one of ours, or the callback of the requested port. */
export function leadsHome(location: string, origin: string, query: string): boolean {
  // A browser reads a backslash as a slash and drops tabs and line ends; so does this.
  const target = URL.parse(location, origin);
  if (target === null || target.username !== '' || target.password !== '') return false;
  if (target.origin === origin) return true;
  const port = Number(target.port);
  const asked = Number(new URLSearchParams(query).get('port'));
  const mayWait = port === asked && port >= 49_152 && port <= 65_535;
  return (
    target.protocol === 'http:' &&
    target.hostname === 'localhost' &&
    mayWait &&
    target.pathname === '/callback'
  );
}
