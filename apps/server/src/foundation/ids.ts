import type { Brand } from './brand.ts';
import type { Clock } from './clock.ts';
import type { EpochMicroseconds } from './instant.ts';
import { instantFromMs, instantToMs } from './instant.ts';
import type { Result } from './result.ts';
import { accepted, refused } from './result.ts';

/** A UUIDv7 in lower case, of a named kind: `Id<'item'>` is not an `Id<'story'>`. */
export type Id<Kind extends string> = Brand<string, `id of ${Kind}`>;

export const idForm = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Only the canonical spelling, so that ids can be compared byte for byte. */
export function parseId<Kind extends string>(text: string): Result<Id<Kind>, 'malformed'> {
  return idForm.test(text) ? accepted(text as Id<Kind>) : refused('malformed');
}

/** When the id was generated, to the millisecond. */
export function instantOfId(id: Id<string>): EpochMicroseconds {
  return instantFromMs(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16));
}

/** Not greater than any id generated at this time or later. */
export function lowestIdAt(instant: EpochMicroseconds): string {
  return dashed(instantToMs(instant).toString(16).padStart(12, '0').padEnd(32, '0'));
}

/** Of any UUID, including ids. */
export function uuidToBytes(uuid: string): Buffer {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex');
}

export function uuidFromBytes(bytes: Uint8Array): string {
  return dashed(Buffer.from(bytes).toString('hex'));
}

export function idFromBytes<Kind extends string>(bytes: Uint8Array): Result<Id<Kind>, 'malformed'> {
  return parseId(uuidFromBytes(bytes));
}

function dashed(hex: string): string {
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

export interface IdSource {
  readonly next: <Kind extends string>() => Id<Kind>;
}

const latestMs = 2 ** 48 - 1;

/**
 * Every id is greater than the previous one from the same source, also within a millisecond and when the clock
 * steps back. node:crypto's randomUUIDv7 reads the system's time and guarantees no order.
 */
export function createIdSource(deps: {
  readonly clock: Clock;
  readonly randomBytes: (size: number) => Uint8Array;
}): IdSource {
  let lastMs = Number.NEGATIVE_INFINITY;
  let tail = 0n;
  const random = (bits: number): bigint =>
    BigInt.asUintN(bits, BigInt(`0x${Buffer.from(deps.randomBytes(10)).toString('hex')}`));
  return {
    next: <Kind extends string>() => {
      const nowMs = deps.clock.nowMs();
      if (nowMs < 0 || nowMs > latestMs) throw new RangeError('no UUIDv7 for this time');
      if (nowMs > lastMs) {
        lastMs = nowMs;
        // The highest of the 74 bits starts at 0: room for 2^41 steps while the clock does not advance.
        tail = random(73);
      } else {
        // A random step prevents guessing the neighbours of a known id.
        tail += 1n + random(32);
      }
      return uuidV7(lastMs, tail) as Id<Kind>;
    },
  };
}

function uuidV7(milliseconds: number, tail: bigint): string {
  const high = (BigInt(milliseconds) << 16n) | 0x7000n | (tail >> 62n);
  const low = (0b10n << 62n) | BigInt.asUintN(62, tail);
  return dashed(((high << 64n) | low).toString(16).padStart(32, '0'));
}
