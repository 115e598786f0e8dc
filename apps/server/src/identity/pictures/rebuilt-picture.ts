/** The parts of a file that draw the picture. */
export interface RebuiltPicture {
  readonly width: number;
  readonly height: number;
  readonly bytes: Buffer;
}

/** Null if the bytes are of another format, truncated, or animated. */
export type RebuildPicture = (bytes: Buffer) => RebuiltPicture | null;
