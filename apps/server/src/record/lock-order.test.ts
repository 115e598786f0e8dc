import { expect, test } from 'vitest';

import { LockOrder } from './lock-order.ts';

test('allows waiting for rows later in the order and not for earlier ones', () => {
  const locks = new LockOrder();
  expect(locks.take('item', ['b', 'c'])).toEqual({ mayWait: true });
  expect(locks.take('item', ['d'])).toEqual({ mayWait: true });
  expect(locks.take('story', ['a'])).toEqual({ mayWait: true });
  expect(locks.take('item', ['e'])).toEqual({ mayWait: false });
  expect(locks.take('reading group', ['z'])).toEqual({ mayWait: false });
  expect(locks.take('edition', ['a'])).toEqual({ mayWait: true });
});

test('allows rows that are already locked, whatever their place in the order', () => {
  const locks = new LockOrder();
  locks.take('item', ['b']);
  locks.take('story', ['a']);
  expect(locks.take('item', ['b'])).toEqual({ mayWait: true });
  expect(locks.take('item', ['a', 'b'])).toEqual({ mayWait: false });
});

test('does not treat a shared lock as an exclusive lock', () => {
  const locks = new LockOrder();
  locks.take('item', ['b'], 'share');
  expect(locks.take('item', ['b'], 'share')).toEqual({ mayWait: true });
  expect(locks.take('item', ['b'])).toEqual({ mayWait: false });
  locks.take('item', ['c']);
  expect(locks.take('item', ['c'], 'share')).toEqual({ mayWait: true });
});

test('rolling back to a savepoint releases the locks taken since', () => {
  const locks = new LockOrder();
  locks.take('item', ['b']);
  const mark = locks.mark();
  locks.take('story', ['a']);
  locks.resetTo(mark);
  expect(locks.take('item', ['c'])).toEqual({ mayWait: true });
  expect(locks.take('story', ['a'])).toEqual({ mayWait: true });
});
