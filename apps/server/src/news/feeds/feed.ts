/** The input of all feed formats. Text is plain and may be hostile; the writers escape it. */
export interface Feed {
  readonly title: string;
  /** Of its entries, unless they state their own; absent if they are mixed. */
  readonly language?: string;
  /** The address of the feed itself. */
  readonly selfUrl: string;
  readonly homeUrl: string;
  /** The update time of an empty feed. */
  readonly emptyAt?: string;
  readonly entries: readonly FeedEntry[];
}

export interface FeedEntry {
  readonly title: string;
  readonly text: string;
  /** The whole content as HTML, where it is more than the text. */
  readonly html?: string;
  readonly language?: string;
  /** The page of this installation; also the entry's id for feed readers, since installations share dates. */
  readonly url: string;
  /** The third party's address. */
  readonly originalUrl: string | null;
  readonly author: string | null;
  readonly category: string | null;
  readonly publishedAt: string | null;
  readonly updatedAt: string;
}

/** Characters that XML 1.0 cannot represent, not even escaped. */
// oxlint-disable-next-line no-control-regex -- these are the characters meant
const unwritable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu;

export function writableText(text: string): string {
  return text.replaceAll(unwritable, '');
}

/** The newest update of an entry. Atom requires a time, even if the feed is empty. */
export function updatedAtOf({ entries, emptyAt = '1970-01-01T00:00:00.000Z' }: Feed): string {
  const [first, ...others] = entries;
  return others.reduce(
    (latest, { updatedAt }) => (updatedAt > latest ? updatedAt : latest),
    first?.updatedAt ?? emptyAt,
  );
}
