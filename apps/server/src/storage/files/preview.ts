import type { FileContent } from '../folders/entry.ts';

/** How a browser may render content. */
export interface Preview {
  readonly kind: 'image' | 'audio' | 'video' | 'text';
  readonly contentType: string;
}

interface PreviewedType extends Preview {
  /** As `detectMediaType` names it. */
  readonly detected: string;
  /** Other names of the same type that senders use. */
  readonly alsoStated: readonly string[];
}

function shown(
  kind: Preview['kind'],
  detected: string,
  alsoStated: readonly string[] = [],
  contentType = detected,
): PreviewedType {
  return { kind, detected, alsoStated, contentType };
}

/** Nothing that runs, styles or loads anything else. PDF is excluded: its viewer does not open in a sandbox. */
const previewedTypes: readonly PreviewedType[] = [
  shown('image', 'image/png'),
  shown('image', 'image/apng', ['image/png']),
  shown('image', 'image/jpeg', ['image/jpg']),
  shown('image', 'image/gif'),
  shown('image', 'image/webp'),
  shown('image', 'image/avif'),
  shown('audio', 'audio/mpeg', ['audio/mp3']),
  shown('audio', 'audio/ogg', ['audio/opus', 'application/ogg']),
  shown('audio', 'audio/wav', ['audio/x-wav', 'audio/wave', 'audio/vnd.wave']),
  shown('audio', 'audio/flac', ['audio/x-flac']),
  shown('audio', 'audio/mp4', ['audio/x-m4a', 'audio/m4a']),
  shown('audio', 'audio/x-m4a', ['audio/mp4', 'audio/m4a'], 'audio/mp4'),
  shown('audio', 'audio/aac'),
  shown('video', 'video/mp4'),
  shown('video', 'video/x-m4v', ['video/mp4'], 'video/mp4'),
  shown('video', 'video/webm'),
  shown('video', 'video/ogg'),
  shown('text', 'text/plain', ['text/csv', 'text/markdown', 'application/json'], 'text/plain; charset=utf-8'),
];

/** Null unless both its bytes and its sender declare one of the listed types. */
export function previewOf({
  mediaType,
  detectedMediaType,
}: Pick<FileContent, 'mediaType' | 'detectedMediaType'>): Preview | null {
  const stated = mediaType.toLowerCase();
  const found = previewedTypes.find(
    ({ detected, alsoStated }) =>
      detected === detectedMediaType && (detected === stated || alsoStated.includes(stated)),
  );
  return found === undefined ? null : { kind: found.kind, contentType: found.contentType };
}
