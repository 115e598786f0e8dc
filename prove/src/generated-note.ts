const blocks: readonly ((random: () => number) => string)[] = [
  (random) => `${'#'.repeat(1 + Math.floor(random() * 6))} ${words(random, 4)}`,
  (random) => `${words(random, 5)}\n${random() < 0.5 ? '=====' : '---'}`,
  (random) => words(random, 60),
  (random) => words(random, 400),
  (random) => Array.from({ length: 1 + Math.floor(random() * 40) }, () => `- ${words(random, 8)}`).join('\n'),
  (random) => `1. ${words(random, 5)}\n   - ${words(random, 5)}\n\n     \`\`\`\n     # code\n     \`\`\``,
  (random) => `\`\`\`sh\n# ${words(random, 5)}\n\n${words(random, 20)}${random() < 0.8 ? '\n```' : ''}`,
  (random) => `~~~~\n~~~\n${words(random, 20)}\n~~~~`,
  (random) => `> ${words(random, 20)}\n>\n> > ${words(random, 10)}`,
  (random) => `<!-- ${words(random, 10)}${random() < 0.8 ? ' -->' : ''}`,
  (random) => `<div>\n${words(random, 10)}\n</div>`,
  (random) => `| ${words(random, 2)} | b |\n|---|---|\n| ${words(random, 3)} | d |`,
  (random) => `20${10 + Math.floor(random() * 20)}-0${1 + Math.floor(random() * 9)}-12\n${words(random, 20)}`,
  (random) => `    ${words(random, 10)}\n\t${words(random, 5)}`,
  () => '***',
  () => '\uFEFF',
  () => '   \t  ',
  (random) => `[${words(random, 1)}]: https://example.com/${words(random, 1)}`,
  (random) => `${words(random, 6)}:`,
];
const vocabulary = (
  'goal sleep the a money 思考 naïve été 🙂 👩‍👩‍👧 e\u0301 \u200d [[link]] `code` **bold** --> \\ &amp; <b> ' +
  'https://example.com #tag 1. - > ``` \u2028x'
).split(' ');

/** Notes no person would write, drawn from a seed: every kind of block, in every order, line ending and encoding. */
export function generatedNote(random: () => number): Buffer {
  const count = Math.floor(random() * 25);
  const parts = Array.from(
    { length: count },
    () => blocks[Math.floor(random() * blocks.length)]?.(random) ?? '',
  );
  const front = random() < 0.2 ? `---\ntags: [a, b]\n${words(random, 3)}: x\n---\n` : '';
  const gap = pick(random, ['\n', '\n\n', '\n\n\n']);
  const text = (front + parts.join(gap)).replaceAll('\n', pick(random, ['\n', '\n', '\r\n', '\r']));
  return encode(random, text + (random() < 0.7 ? '\n' : ''));
}

function encode(random: () => number, text: string): Buffer {
  const roll = random();
  if (roll < 0.6) return Buffer.from(text);
  if (roll < 0.7) return Buffer.from(`\uFEFF${text}`);
  if (roll < 0.8) return Buffer.from(`\uFEFF${text}`, 'utf16le');
  if (roll < 0.85) return Buffer.from(`\uFEFF${text}`, 'utf16le').swap16();
  if (roll < 0.9) return Buffer.concat([Buffer.from(`\uFEFF${text}`, 'utf16le'), Buffer.from([0x41])]);
  if (roll < 0.97) return Buffer.from(text, 'latin1');
  return Buffer.from(Array.from({ length: Math.floor(random() * 500) }, () => Math.floor(random() * 256)));
}

function words(random: () => number, most: number): string {
  return Array.from({ length: 1 + Math.floor(random() * most) }, () => pick(random, vocabulary)).join(' ');
}

function pick<T>(random: () => number, values: readonly T[]): T {
  return values[Math.floor(random() * values.length)] as T;
}
