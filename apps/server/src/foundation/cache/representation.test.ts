import fc from 'fast-check';
import { expect, test } from 'vitest';

import { Representation } from './representation.ts';

const words =
  '模型 发布 公司 研究 开源 芯片 训练 数据 推理 智能 the model release open weights of and to with in'.split(
    ' ',
  );

const item = fc.record({
  id: fc.uuid(),
  title: fc.array(fc.constantFrom(...words), { minLength: 3, maxLength: 12 }).map((list) => list.join('')),
  summary: fc.array(fc.constantFrom(...words), { minLength: 5, maxLength: 60 }).map((list) => list.join(' ')),
  score: fc.integer({ min: 0, max: 100 }),
});

test('brotli is never larger than gzip, nor either larger than the body', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(item, { minLength: 1, maxLength: 40 }), async (items) => {
      const body = JSON.stringify({ schemaVersion: 1, items });
      const representation = new Representation({ status: 200, contentType: 'application/json', body });
      const [brotli, gzipped] = [await representation.encode('br'), await representation.encode('gzip')];
      expect(brotli.length).toBeLessThanOrEqual(gzipped.length);
      expect(gzipped.length).toBeLessThanOrEqual(representation.identity.length);
    }),
    { numRuns: 150 },
  );
});
