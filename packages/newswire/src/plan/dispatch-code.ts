/** The position of a dispatch in its world. It is sufficient to plan and write the dispatch again. */
export type DispatchPlace =
  | {
      readonly type: 'story';
      readonly hour: number;
      readonly nth: number;
      readonly story: number;
      readonly index: number;
    }
  | { readonly type: 'single' | 'roundup'; readonly hour: number; readonly nth: number };

/** A place as one number below 2^52. */
export type DispatchCode = number;

const hours = 2 ** 19;
const perHour = 2 ** 21;
const stories = 2 ** 3;
const dispatches = 2 ** 7;
const types = ['story', 'single', 'roundup'] as const;

export function codeOf(place: DispatchPlace): DispatchCode {
  const [story, index] = place.type === 'story' ? [place.story, place.index] : [0, 0];
  const upper = types.indexOf(place.type) * hours + place.hour;
  return ((upper * perHour + place.nth) * stories + story) * dispatches + index;
}

export function placeOf(code: DispatchCode): DispatchPlace | undefined {
  const index = code % dispatches;
  const story = Math.floor(code / dispatches) % stories;
  const nth = Math.floor(code / (dispatches * stories)) % perHour;
  const upper = Math.floor(code / (dispatches * stories * perHour));
  const type = types[Math.floor(upper / hours)];
  const hour = upper % hours;
  if (type === undefined) return undefined;
  if (type === 'story') return { type, hour, nth, story, index };
  return story === 0 && index === 0 ? { type, hour, nth } : undefined;
}

const prefixes = { story: 'story', single: 'alone', roundup: 'round' } as const;

export function threadName({ hour, nth }: { readonly hour: number; readonly nth: number }): string {
  return `${hour.toString(36)}-${nth.toString(36)}`;
}

/** The readable name: `story-1a-0-2-r5`, `alone-1a-7`, `round-1a-0`. */
export function keyOf(place: DispatchPlace): string {
  const name = `${prefixes[place.type]}-${threadName(place)}`;
  return place.type === 'story' ? `${name}-${place.story}-r${place.index}` : name;
}

export function parseKey(key: string): DispatchPlace | undefined {
  const [, prefix, hourText = '', nthText = '', story, index] =
    /^(story|alone|round)-([0-9a-z]+)-([0-9a-z]+)(?:-(\d+)-r(\d+))?$/.exec(key) ?? [];
  const hour = Number.parseInt(hourText, 36);
  const nth = Number.parseInt(nthText, 36);
  if (!(hour < hours) || !(nth < perHour)) return undefined;
  if (prefix === 'story') {
    return story === undefined || index === undefined
      ? undefined
      : { type: 'story', hour, nth, story: Number(story), index: Number(index) };
  }
  return story === undefined ? { type: prefix === 'alone' ? 'single' : 'roundup', hour, nth } : undefined;
}

const half = 2 ** 26;
const rounds = 4;
const letters = 11;

/**
 * Eleven letters and digits for addresses and guids. They lead back to the code but do not show which dispatches
 * belong together: a Feistel network over the code's two halves.
 */
export function sealCode(seed: number, code: DispatchCode): string {
  let [left, right] = [Math.floor(code / half), code % half];
  for (let round = 0; round < rounds; round += 1) [left, right] = [right, left ^ mixed(seed, round, right)];
  // Lowest digit first: the highest would always be 0 or 1.
  let rest = left * half + right;
  let text = '';
  for (let digit = 0; digit < letters; digit += 1) {
    text += (rest % 36).toString(36);
    rest = Math.floor(rest / 36);
  }
  return text;
}

/** Undefined where the letters were never made by `sealCode`. */
export function openCode(seed: number, sealed: string): DispatchCode | undefined {
  if (!/^[0-9a-z]{11}$/.test(sealed)) return undefined;
  const value = Number.parseInt(sealed.split('').toReversed().join(''), 36);
  if (value >= half * half) return undefined;
  let [left, right] = [Math.floor(value / half), value % half];
  for (let round = rounds - 1; round >= 0; round -= 1)
    [left, right] = [right ^ mixed(seed, round, left), left];
  return left * half + right;
}

function mixed(seed: number, round: number, value: number): number {
  let bits = Math.imul(value ^ (value >>> 13) ^ seed, 0x45d9f3b) + Math.imul(round + 1, 0x2545f491);
  bits = Math.imul(bits ^ (bits >>> 15), 0x2c1b3c6d);
  return ((bits ^ (bits >>> 12)) >>> 0) % half;
}
