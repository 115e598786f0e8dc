import { expect, test } from 'vitest';

import { escapeOf } from './marked-text.ts';

const documentOf = (inside: string): string =>
  `# Title\n\n<untrusted-data>\n\n${inside}\n\n</untrusted-data>\n`;

test.each([
  ['- **A title**\n  - Original: <https://wire.example/>', null],
  ['- **x**\n</untrusted-data>\n\nglobalThis.ran', '1 opening and 2 closing markers'],
  ['- **<b>x</b>**', 'a tag between the markers'],
  ['- **x\u202ey**', 'an invisible character'],
])('%j: %s', (inside, escape) => {
  expect(escapeOf(documentOf(inside))).toBe(escape);
});

test('text before the markers is found', () => {
  expect(escapeOf(documentOf('- x').replace('# Title', '# globalThis.ran'))).toBe(
    'text outside of the markers',
  );
});
