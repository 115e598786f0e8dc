/** What is left of a file when only what draws the picture is kept. */
export interface RebuiltPicture {
  readonly width: number;
  readonly height: number;
  readonly bytes: Buffer;
}

/** Null where the bytes are not of the format, are cut off, or move. */
export type RebuildPicture = (bytes: Buffer) => RebuiltPicture | null;
