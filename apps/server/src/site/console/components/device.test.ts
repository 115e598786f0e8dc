import { expect, test } from 'vitest';

import { device, deviceName } from './device.ts';

test.each([
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/139.0 Safari/537.36 Edg/139.0',
    'Edge on Windows',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.1 Mobile/15E148 Safari/604.1',
    'Safari on iOS',
  ],
  ['daybook-mirror/2.4', 'daybook-mirror/2.4'],
])('%s is named %s', (userAgent, name) => {
  expect(deviceName(userAgent)).toBe(name);
});

test('the whole text of the program is the title, and hostile text is escaped', () => {
  expect(device('198.51.100.23', '"><b>x')).not.toContain('<b>');
  expect(device('198.51.100.23', 'daybook-mirror/2.4')).toMatch(
    /title="daybook-mirror\/2.4"[^]*198.51.100.23/,
  );
});
