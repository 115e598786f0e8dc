import { sha256 } from '../../foundation/hash.ts';
import { addressKey } from './article-address.ts';
import type { EntryKey } from './feed.ts';

export interface IdentifiedDraft {
  readonly guid: string | null;
  readonly link: string | null;
  readonly title: string;
  readonly published: string | null;
}

/**
 * The keys that identify each entry of a feed. A guid is a key if no other entry of the feed has it, otherwise together
 * with the address; an address is a key if no other entry has it and it is not the site itself; the text is the last
 * resort. An entry gets every key that applies, so that a publisher that changes all guids creates no duplicates.
 */
export function entryKeys(
  drafts: readonly IdentifiedDraft[],
  homepage: string | null,
): readonly (readonly [EntryKey, ...EntryKey[]])[] {
  const site = homepage === null ? null : addressKey(homepage);
  const parts = drafts.map(({ guid, link, title, published }) => ({
    guid: guid === null || guid === '' ? null : guidKey(guid),
    address: link === null ? null : addressKey(link),
    text: `${title}\n${published ?? ''}`,
  }));
  const guids = counts(parts.map(({ guid }) => guid));
  const addresses = counts(parts.map(({ address }) => address));
  const pairs = counts(parts.map(pairOf));
  return parts.map((part) => {
    const keys: EntryKey[] = [];
    const pair = pairOf(part);
    if (part.guid !== null && guids.get(part.guid) === 1) keys.push(key('guid', part.guid));
    if (pair !== null && pairs.get(pair) === 1) keys.push(key('guid and address', pair));
    if (
      part.address !== null &&
      addresses.get(part.address) === 1 &&
      part.address !== site &&
      !isSiteRoot(part.address)
    )
      keys.push(key('address', part.address));
    const [strongest = key('text', `${pair ?? part.address ?? part.guid ?? ''}\n${part.text}`), ...others] =
      keys;
    return [strongest, ...others];
  });
}

function pairOf({ guid, address }: { guid: string | null; address: string | null }): string | null {
  return guid === null || address === null ? null : `${guid}\n${address}`;
}

/** A guid that is an address is normalised like one, so that a move to https changes no key. */
function guidKey(guid: string): string {
  const url = /^https?:\/\//iu.test(guid) ? URL.parse(guid) : null;
  return url === null ? guid : addressKey(url.href);
}

function isSiteRoot(address: string): boolean {
  return !/[/?#]/u.test(address);
}

function key(from: EntryKey['from'], text: string): EntryKey {
  return { from, value: sha256(`${from}\n${text}`) };
}

function counts(values: readonly (string | null)[]): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const value of values) if (value !== null) found.set(value, (found.get(value) ?? 0) + 1);
  return found;
}
