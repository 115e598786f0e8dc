import { emitKeypressEvents } from 'node:readline';
import type { ReadStream } from 'node:tty';

export interface Key {
  /** `a`, `return`, `up`, `pagedown`, `escape`, … */
  readonly name: string;
  /** What was typed, if it is text. */
  readonly text: string;
}

/** A single key, or the next key of a text that ends with `return`. */
export type KeyKind = 'key' | 'text';

export interface Keyboard {
  readonly next: () => Promise<Key>;
  readonly close: () => void;
}

interface RawKey {
  readonly name?: string;
  readonly ctrl?: boolean;
  readonly meta?: boolean;
}

/** Key presses one by one; those pressed between reads are buffered. Ctrl-C reads as `interrupt`. */
export function openKeyboard(stdin: ReadStream): Keyboard {
  const pressed: Key[] = [];
  let waiting: ((key: Key) => void) | null = null;
  const onKey = (typed: string | undefined, raw: RawKey): void => {
    const isText =
      typed !== undefined && raw.ctrl !== true && raw.meta !== true && /^[^\p{Cc}]+$/u.test(typed);
    const key: Key = {
      name: raw.ctrl === true && raw.name === 'c' ? 'interrupt' : (raw.name ?? typed ?? ''),
      text: isText ? typed : '',
    };
    if (waiting === null) {
      pressed.push(key);
      return;
    }
    const resolve = waiting;
    waiting = null;
    resolve(key);
  };
  emitKeypressEvents(stdin);
  stdin.setRawMode(true);
  stdin.resume();
  stdin.on('keypress', onKey);
  return {
    next: () => {
      const key = pressed.shift();
      if (key !== undefined) return Promise.resolve(key);
      return new Promise((resolve) => {
        waiting = resolve;
      });
    },
    close: () => {
      stdin.off('keypress', onKey);
      stdin.setRawMode(false);
      stdin.pause();
    },
  };
}
