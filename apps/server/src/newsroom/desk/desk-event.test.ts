import { expect, test } from 'vitest';

import { comparePlaces, eventId, readStart, startOf } from './desk-event.ts';

const place = (xid: bigint, part: 0 | 1, id: bigint) => ({ xid, part, id });

test('the id of an event is read back as its place', () => {
  const event = { place: place(812n, 1, 77n), name: 'queue', kind: 'report', id: 'x' } as const;
  const start = readStart(eventId(event, 1_700_000_000_000));
  expect(start).toMatchObject({ after: event.place, atMs: 1_700_000_000_000 });
  expect(start?.isShown(811n)).toBe(false);
});

test('a page has shown the transactions of its snapshot, and not those that ran', () => {
  const start = readStart(startOf(5, '100:105:100,103'));
  expect(start?.after).toEqual(place(100n, 0, 0n));
  expect([99n, 100n, 101n, 103n, 104n, 105n].map((xid) => start?.isShown(xid))).toEqual([
    true,
    false,
    true,
    false,
    true,
    false,
  ]);
  expect(readStart(startOf(5, '100:100:'))?.isShown(100n)).toBe(false);
});

test('other text is no start', () => {
  for (const text of ['', '5', '5.', '5.1-2-3', '5.a:b:c', '5.1-0-1 ', `5.${'9'.repeat(20)}-0-1`])
    expect([text, readStart(text)]).toEqual([text, null]);
});

test('places are ordered by transaction, then decisions before the queue, then by id', () => {
  const places = [place(2n, 0, 1n), place(1n, 1, 9n), place(1n, 0, 10n), place(1n, 0, 0n), place(1n, 1, 2n)];
  expect(places.toSorted(comparePlaces)).toEqual([places[3], places[2], places[4], places[1], places[0]]);
});
