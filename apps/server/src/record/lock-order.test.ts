import { expect, test } from 'vitest';

import { LockOrder } from './lock-order.ts';

test('what comes later in the order may be waited for, what comes earlier may not', () => {
  const locks = new LockOrder();
  expect(locks.take('item', ['b', 'c'])).toEqual({ mayWait: true });
  expect(locks.take('item', ['d'])).toEqual({ mayWait: true });
  expect(locks.take('story', ['a'])).toEqual({ mayWait: true });
  expect(locks.take('item', ['e'])).toEqual({ mayWait: false });
  expect(locks.take('reading group', ['z'])).toEqual({ mayWait: false });
  expect(locks.take('edition', ['a'])).toEqual({ mayWait: true });
});

test('what is held already is no new lock, wherever it stands', () => {
  const locks = new LockOrder();
  locks.take('item', ['b']);
  locks.take('story', ['a']);
  expect(locks.take('item', ['b'])).toEqual({ mayWait: true });
  expect(locks.take('item', ['a', 'b'])).toEqual({ mayWait: false });
});

test('a row held against changes is not held for changing it', () => {
  const locks = new LockOrder();
  locks.take('item', ['b'], 'share');
  expect(locks.take('item', ['b'], 'share')).toEqual({ mayWait: true });
  expect(locks.take('item', ['b'])).toEqual({ mayWait: false });
  locks.take('item', ['c']);
  expect(locks.take('item', ['c'], 'share')).toEqual({ mayWait: true });
});

test('undoing to a savepoint gives back the locks taken since', () => {
  const locks = new LockOrder();
  locks.take('item', ['b']);
  const mark = locks.mark();
  locks.take('story', ['a']);
  locks.resetTo(mark);
  expect(locks.take('item', ['c'])).toEqual({ mayWait: true });
  expect(locks.take('story', ['a'])).toEqual({ mayWait: true });
});
