const controls = [...Array(32).keys(), ...Array.from({ length: 33 }, (_, index) => 127 + index)];
const turning = [
  0x061c, 0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069,
];
const unseen = [0x00ad, 0x180e, 0x200b, 0x200c, 0x200d, 0x2028, 0x2029, 0x2060, 0xfeff, 0xd800, 0xdfff];
const devices = [
  'CON',
  'PRN',
  'AUX',
  'NUL',
  'CONIN$',
  'CONOUT$',
  ...Array.from({ length: 9 }, (_, index) => [`COM${index + 1}`, `lpt${index + 1}`]).flat(),
];

const paths = [
  '',
  '.',
  '..',
  '...',
  '/',
  '\\',
  '../x',
  '..\\x',
  '../../../../etc/passwd',
  '/etc/passwd',
  'C:\\Windows\\win.ini',
  'C:x',
  '\\\\server\\share',
  'a/b',
  'a\\b',
  'a:stream',
  '%2e%2e%2f',
  '..%2fx',
  '..%c0%af',
  '..;/x',
  '／etc',
  '．．',
  '∕x',
  '⁄x',
  '~',
  '~root',
  '.git',
  '.htaccess',
  'x.',
  'x ',
  ' x',
  '\u00a0x',
  '\u3000',
];

const headers = [
  'a\r\nSet-Cookie: session=1',
  'a\nX-Injected: 1',
  'a\rX-Injected: 1',
  'a\r\n\r\n<script>',
  'a%0d%0aX-Injected: 1',
  'a"; filename="b.html',
  'a\\"; filename=b.html',
  'a";x="',
  "a'; filename*=UTF-8''b.html",
  'a;b=c',
  'a, inline',
  'é"\u010a\u010dX: 1',
  '嘊嘍X-Injected: 1',
];

const texts = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '{{7*7}}',
  '${7*7}',
  '$(id)',
  '`id`',
  '|id',
  '; rm -rf',
  '-rf',
  "'; DROP TABLE storage.entry; --",
  '__proto__',
  'constructor',
  'null',
  'undefined',
  'NaN',
  '%',
  '_',
  '*',
  '?',
  '%00',
  '%s%s%s%n',
  'Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢',
  '🏳️‍🌈',
  'ﷺ',
];

const lengths = [
  'x'.repeat(256),
  'x'.repeat(5_000),
  'é'.repeat(128),
  '界'.repeat(86),
  'ﷺ'.repeat(86),
  'x'.repeat(255),
];

/** Names made to leave their folder, to end a header, to run, to mislead or to break whatever writes them to a disk. */
export function hostileNames(): readonly string[] {
  const around = (points: readonly number[]): string[] =>
    points.map((point) => `a${String.fromCharCode(point)}b.txt`);
  return [
    ...paths,
    ...headers,
    ...texts,
    ...lengths,
    ...around(controls),
    ...around(turning),
    ...around(unseen),
    ...devices,
    ...devices.map((device) => `${device}.txt`),
  ];
}

/** One part of a path, that people can read, on every system. */
export function isHarmlessName(name: string): boolean {
  return (
    name !== '' &&
    name !== '.' &&
    name !== '..' &&
    Buffer.byteLength(name) <= 255 &&
    !/[/\\\p{C}\p{Zl}\p{Zp}]/u.test(name.replaceAll(/(?<=\P{ASCII})\u200D(?=\P{ASCII})/gu, '')) &&
    name.trim() === name
  );
}
