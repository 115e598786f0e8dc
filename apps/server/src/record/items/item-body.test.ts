import fc from 'fast-check';
import { expect, test } from 'vitest';

import { instantFromMs } from '../../foundation/instant.ts';
import { composeItemBody, itemJson, withBaseUrl } from './item-body.ts';

test('adds the base address to our own link only, whatever third parties write', () => {
  const hostile = fc.oneof(
    fc.string(),
    fc.constantFrom(
      '\u0001',
      '"links":{"item":"',
      '","links":{"item":"',
      '\\u0001',
      '$&',
      '$1',
      ',"reason":"A report."',
    ),
  );
  fc.assert(
    fc.property(hostile, hostile, hostile, (title, summary, originalUrl) => {
      const body = composeItemBody({
        id: '0199a0de-0000-7000-8000-000000000001',
        title,
        originalTitle: null,
        language: null,
        summary,
        sourceName: title,
        originalUrl,
        publishedAt: null,
        discoveredAt: instantFromMs(0),
        revisedAt: null,
        category: 'paper',
        score: 1,
        selected: false,
        reason: summary,
      });
      const sent = withBaseUrl(body, 'https://daybook.example');
      expect(withBaseUrl([Buffer.from(body)], 'https://daybook.example')).toEqual(Buffer.from(sent));
      const baseUrl = 'https://daybook.example';
      expect(JSON.parse(itemJson({ body, storyId: null }, { baseUrl, language: 'zh' }))).toEqual(
        JSON.parse(sent),
      );
      expect(JSON.parse(sent)).toMatchObject({
        title,
        summary,
        links: {
          item: 'https://daybook.example/items/0199a0de-0000-7000-8000-000000000001',
          original: originalUrl,
        },
      });
    }),
  );
});
