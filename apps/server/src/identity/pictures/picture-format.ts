import type { Result } from '../../foundation/result.ts';
import { accepted, refused } from '../../foundation/result.ts';
import { rebuildJpeg } from './jpeg.ts';
import { rebuildPng } from './png.ts';
import type { RebuildPicture, RebuiltPicture } from './rebuilt-picture.ts';
import { rebuildWebp } from './webp.ts';

export const pictureMediaTypes = ['image/png', 'image/jpeg', 'image/webp'] as const;
export type PictureMediaType = (typeof pictureMediaTypes)[number];

export interface Picture extends RebuiltPicture {
  readonly mediaType: PictureMediaType;
}

export const pictureBytesMax = 256 * 1024;
export const pictureSideMax = 1024;

const rebuilders: Readonly<Record<PictureMediaType, RebuildPicture>> = {
  'image/png': rebuildPng,
  'image/jpeg': rebuildJpeg,
  'image/webp': rebuildWebp,
};

export type PictureFault = 'too-large' | 'unknown' | 'too-wide';

export const pictureFaultMessages: Readonly<Record<PictureFault, string>> = {
  'too-large': `is larger than ${pictureBytesMax / 1024} KB; choose a smaller file`,
  unknown: 'is not a valid still picture in PNG, JPEG or WebP format; choose another file',
  'too-wide': `is wider or higher than ${pictureSideMax} pixels; resize it first`,
};

/**
 * Detects the format from the bytes, not from the file name. The picture is rebuilt from the parts that draw it, so
 * that places, times, devices, comments and thumbnails in its metadata are not stored.
 */
export function readPicture(file: Buffer): Result<Picture, PictureFault> {
  if (file.length > pictureBytesMax) return refused('too-large');
  for (const mediaType of pictureMediaTypes) {
    const rebuilt = rebuilders[mediaType](file);
    if (rebuilt === null) continue;
    const isTooWide = Math.max(rebuilt.width, rebuilt.height) > pictureSideMax;
    return isTooWide ? refused('too-wide') : accepted({ mediaType, ...rebuilt });
  }
  return refused('unknown');
}
