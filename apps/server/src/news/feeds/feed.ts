/** What both feed formats are written from. Text is plain and may be hostile; the writers escape it. */
export interface Feed {
  readonly title: string;
  /** Where the feed itself lies. */
  readonly selfUrl: string;
  readonly homeUrl: string;
  readonly entries: readonly FeedEntry[];
}

export interface FeedEntry {
  readonly title: string;
  readonly text: string;
  /** The page of this installation; also what readers know the entry by, since two installations have the same dates. */
  readonly url: string;
  /** Where a third party published it. */
  readonly originalUrl: string | null;
  readonly author: string | null;
  readonly category: string | null;
  readonly publishedAt: string | null;
  readonly updatedAt: string;
}

/** What XML 1.0 cannot carry, not even escaped. */
// oxlint-disable-next-line no-control-regex -- these are the characters meant
const unwritable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu;

export function writableText(text: string): string {
  return text.replaceAll(unwritable, '');
}

/** An Atom feed must say when it was updated, also when it is empty. */
export function updatedAtOf({ entries }: Feed): string {
  return entries.reduce(
    (latest, { updatedAt }) => (updatedAt > latest ? updatedAt : latest),
    '1970-01-01T00:00:00.000Z',
  );
}
