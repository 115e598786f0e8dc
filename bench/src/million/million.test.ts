import { describe, expect, test } from 'vitest';

import { extrapolate } from './extrapolate.ts';
import type { PollAnswer } from './poll-connection.ts';
import { createPollReader } from './poll-connection.ts';
import { createRequestTags } from './request-tags.ts';
import { createClients } from './simulated-clients.ts';

describe('simulated clients', () => {
  const clientsOf = (count: number): ReturnType<typeof createClients> =>
    createClients(count, 5_000, { firstTags: [7, 8], shares: [75, 25] }, 1);

  test('poll once in each minute, each at its own moment, and never before it', () => {
    const clients = clientsOf(500);
    const dueOf = new Map<number, number[]>();
    for (let nowMs = 5_000; nowMs < 125_000; nowMs += 10)
      for (let client = clients.nextDue(nowMs); client !== null; client = clients.nextDue(nowMs)) {
        expect(clients.dueAtMs()).toBeLessThanOrEqual(nowMs);
        dueOf.set(client, [...(dueOf.get(client) ?? []), clients.dueAtMs()]);
      }
    expect(dueOf.size).toBe(500);
    for (const [first = 0, second = 0, ...more] of dueOf.values())
      expect([second - first, more]).toEqual([expect.closeTo(60_000), []]);
    expect(new Set([...dueOf.values()].map(([first]) => first)).size).toBe(500);
  });

  test('poll addresses by their shares, with the ETag of the last response', () => {
    const clients = clientsOf(4_000);
    const polled = Array.from({ length: 4_000 }, (_, client) => clients.variantOf(client));
    expect(polled.filter((variant) => variant === 0).length / 4_000).toBeCloseTo(0.75, 1);
    expect(polled.every((variant, client) => clients.tagOf(client) === 7 + variant)).toBe(true);
    clients.setTag(3, 9);
    expect([clients.tagOf(3), clients.tagOf(4)]).toEqual([9, 7 + clients.variantOf(4)]);
  });

  test('send the ETag that they hold, and accept one encoding', () => {
    const tags = createRequestTags(['/a'], 80);
    const tag = tags.tagOf(1, '"x"');
    expect(tags.tagOf(1, '"x"')).toBe(tag);
    expect(tags.tagOf(2, '"x"')).not.toBe(tag);
    expect(String(tags.request(tag))).toBe(
      'GET /a HTTP/1.1\r\nHost: 127.0.0.1:80\r\nAccept-Encoding: br\r\nIf-None-Match: "x"\r\n\r\n',
    );
  });
});

describe('a response', () => {
  const read = (text: string, chunkBytes: number): (PollAnswer | null)[] => {
    const reader = createPollReader();
    const bytes = Buffer.from(text);
    const chunks = Array.from({ length: Math.ceil(bytes.length / chunkBytes) }, (_, at) =>
      bytes.subarray(at * chunkBytes, (at + 1) * chunkBytes),
    );
    return chunks.map(reader);
  };
  const full = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\netag: W/"v2"\r\n\r\nhello';

  test.each([1, 7, 60, 1_000])('is complete with its last byte, in chunks of %i bytes', (chunkBytes) => {
    const answers = read(full, chunkBytes);
    expect(answers.slice(0, -1).every((answer) => answer === null)).toBe(true);
    expect(answers.at(-1)).toEqual({ status: 200, etag: 'W/"v2"', bytes: 5, isLast: false });
  });

  test('of 304 has no body, and may be the last of its connection', () => {
    expect(read('HTTP/1.1 304 Not Modified\r\nConnection: close\r\n\r\n', 1_000)).toEqual([
      { status: 304, etag: null, bytes: 0, isLast: true },
    ]);
  });

  test('of any other status, or longer than declared, is an error', () => {
    expect(() => read('HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n', 1_000)).toThrow('502');
    expect(() => read(`${full}!`, 1_000)).toThrow('longer');
  });
});

test('the extrapolation is the line through its points, and the closest one if they are not on a line', () => {
  const points = [1, 10, 100].map((size) => ({ size, value: 2 + 3 * size }));
  expect(extrapolate(points, 1_000)).toBeCloseTo(3_002);
  expect(extrapolate([...points, { size: 100, value: 312 }], 100)).toBeCloseTo(307, 0);
});
