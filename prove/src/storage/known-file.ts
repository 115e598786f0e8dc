/** A file by the last response to its client. */
export interface KnownFile {
  readonly id: string;
  name: string;
  folderId: string | null;
  /** False after a move or a rename without a response. */
  isPlaceKnown: boolean;
  sha256: string;
  /** Contents without a response: it may have one of them now, or get it when a worker has finished the upload. */
  readonly possible: Set<string>;
  /** Contents that it must have, as the current or an earlier version. */
  readonly kept: Set<string>;
  /** How often it was given a content, or may have been. */
  versions: number;
  /** Unknown after a deletion or a restoration without a response. */
  state: 'live' | 'trashed' | 'unknown';
  /** A purge was requested and got no response. */
  mayBePurged: boolean;
}

/** As the API describes a file. */
export interface DescribedFile {
  readonly id: string;
  readonly name: string;
  readonly parentId: string | null;
  /** Null until a worker has read what no api process has seen whole. */
  readonly sha256: string | null;
}

export function knownFile(id: string, place: { name: string; folderId: string | null }, sha256: string) {
  const file: KnownFile = {
    id,
    ...place,
    isPlaceKnown: true,
    sha256,
    possible: new Set(),
    kept: new Set([sha256]),
    versions: 1,
    state: 'live',
    mayBePurged: false,
  };
  return file;
}

export function mayHave({ sha256, possible }: KnownFile, content: string): boolean {
  return content === sha256 || possible.has(content);
}

/** A copy of a content that the answer may have no hash of yet. */
export function knownCopy(
  of: KnownFile,
  { id, sha256 }: DescribedFile,
  place: Parameters<typeof knownFile>[1],
) {
  const copy = knownFile(id, place, sha256 ?? of.sha256);
  if (sha256 !== null || of.possible.size === 0) return copy;
  for (const content of of.possible) copy.possible.add(content);
  copy.kept.clear();
  return copy;
}

/** Its current content by the responses to its client. */
export function setContent(file: KnownFile, sha256: string): void {
  file.sha256 = sha256;
  file.kept.add(sha256);
}
