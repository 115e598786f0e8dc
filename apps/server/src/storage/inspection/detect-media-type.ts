import { fileTypeFromBuffer } from 'file-type';

/** Only the first bytes of a content are inspected. */
export const headBytesMax = 64 * 1024;

const unknownMediaType = 'application/octet-stream';
const mediaTypeForm = /^[\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100}$/;
/** Control characters except tabs, line breaks and page breaks. */
const neverInText = /[^\P{Cc}\t\n\v\f\r]/u;

/** The media type of the bytes, whatever their sender and name say. */
export async function detectMediaType(
  head: Buffer,
  /** Whether these are all bytes. */
  isWhole: boolean,
): Promise<string> {
  // It parses formats whose length fields may be wrong; bytes that make it throw are of unknown type.
  const found = await fileTypeFromBuffer(head).catch(() => undefined);
  const [mediaType = ''] = found?.mime.toLowerCase().split(';') ?? [];
  if (mediaTypeForm.test(mediaType)) return mediaType;
  return isText(head, isWhole) ? 'text/plain' : unknownMediaType;
}

/** UTF-8 without control characters; the last character may be truncated if more bytes follow. */
function isText(head: Buffer, isWhole: boolean): boolean {
  if (head.length === 0) return false;
  try {
    return !neverInText.test(new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: !isWhole }));
  } catch {
    return false;
  }
}
