/** A file as its client was last told. */
export interface KnownFile {
  readonly id: string;
  name: string;
  folderId: string | null;
  /** False after a move or a new name that no answer came for. */
  isPlaceKnown: boolean;
  sha256: string;
  /** Contents that no answer came for: it may have one of them now, or get it when a worker has finished the upload. */
  readonly possible: Set<string>;
  /** Contents that it must have, as the current or an earlier version. */
  readonly kept: Set<string>;
  /** How often it was given a content, or may have been. */
  versions: number;
  /** Unknown where no answer came to a deletion or a restoration. */
  state: 'live' | 'trashed' | 'unknown';
  /** A purge was asked for and not answered. */
  mayBePurged: boolean;
}

/** As the API describes a file. */
export interface DescribedFile {
  readonly id: string;
  readonly name: string;
  readonly parentId: string | null;
  readonly sha256: string;
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

/** What it has now as its client was told. */
export function setContent(file: KnownFile, sha256: string): void {
  file.sha256 = sha256;
  file.kept.add(sha256);
}
