import { expect, it } from 'vitest';

import { excerpt } from './excerpt.ts';

it.each([
  ['# Tea\n\nI like [green tea](https://tea.example/green) a lot.', 'Tea · I like green tea a lot.'],
  ['---\ntags: [a]\n---\n\n## Notes\n\n> A quote', 'Notes · A quote'],
  ['![](pic.png) A walk [with a link that is cut](https://exam', 'A walk with a link that is cut'],
  ['---\nauthor: "[[Ann]]"\nyear: 1957\n---\n', '(properties only)'],
  ['---\nauthor: Ann\ncover: https://pictures.example/a-long-ad', '(properties only)'],
  ['---\n\nA line above the text', '--- A line above the text'],
  ['![](pic.png)', '(no words)'],
])('%j is shown as %j', (opening, shown) => {
  expect(excerpt(opening, 80)).toBe(shown);
});

it('marks where the words are cut', () => {
  expect(excerpt('one two three four', 10)).toBe('one two t…');
});
