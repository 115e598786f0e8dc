import { fileTypeFromBuffer } from 'file-type';

/** What is looked at of a content: its first bytes. */
export const headBytesMax = 64 * 1024;

const unknownMediaType = 'application/octet-stream';
const mediaTypeForm = /^[\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100}$/;
/** Control characters but tabs and the ends of lines and pages. */
const neverInText = /[^\P{Cc}\t\n\v\f\r]/u;

/** What the bytes say that they are, whatever their sender and their name say. */
export async function detectMediaType(
  head: Buffer,
  /** Whether there are more bytes behind these. */
  isWhole: boolean,
): Promise<string> {
  // It reads formats whose own lengths may lie; bytes that it stumbles over are bytes that nobody knows.
  const found = await fileTypeFromBuffer(head).catch(() => undefined);
  const [mediaType = ''] = found?.mime.toLowerCase().split(';') ?? [];
  if (mediaTypeForm.test(mediaType)) return mediaType;
  return isText(head, isWhole) ? 'text/plain' : unknownMediaType;
}

/** UTF-8 without control characters; the last character may be cut where more follows. */
function isText(head: Buffer, isWhole: boolean): boolean {
  if (head.length === 0) return false;
  try {
    return !neverInText.test(new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: !isWhole }));
  } catch {
    return false;
  }
}
