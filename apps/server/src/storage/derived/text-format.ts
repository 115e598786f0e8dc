import type { FileContent } from '../folders/entry.ts';

/** How the text of a content is read; null: it has none that we can read. */
export type TextFormat = 'plain' | DocumentFormat;
/** Read by a program in a sandbox. */
export type DocumentFormat = 'html' | 'office' | 'pdf';

const officeTypes =
  /^application\/vnd\.(?:openxmlformats-officedocument\.(?:wordprocessingml\.document|spreadsheetml\.sheet|presentationml\.presentation)|oasis\.opendocument\.(?:text|spreadsheet|presentation))$/;
const officeNames = /\.(?:docx|xlsx|pptx|odt|ods|odp)$/i;
const htmlTypes = /^(?:text\/html|application\/xhtml\+xml)$/;
const htmlNames = /\.(?:html?|xhtml)$/i;
const plainTypes =
  /^(?:text\/[\w.+-]+|application\/(?:json|xml|yaml|toml|x-ndjson|x-tex|sql|[\w.-]+\+(?:json|xml)))$/;
const plainNames =
  /\.(?:txt|md|markdown|mdx|rst|adoc|org|tex|log|csv|tsv|json|jsonl|ndjson|ya?ml|toml|ini|conf|xml|srt|vtt|[cm]?[jt]sx?|py|rb|go|rs|java|kt|c|h|cc|cpp|hpp|cs|php|sh|sql|css|scss|swift|lua|r|pl)$/i;

/**
 * The bytes decide first. A zip archive is a document if its sender says so; bytes of no known type are text in another
 * encoding than UTF-8 if their sender says that they are text.
 */
export function textFormatOf(
  { detectedMediaType, mediaType }: Pick<FileContent, 'detectedMediaType' | 'mediaType'>,
  name: string,
): TextFormat | null {
  const detected = detectedMediaType ?? 'application/octet-stream';
  const stated = mediaType.toLowerCase();
  if (detected === 'application/pdf') return 'pdf';
  if (officeTypes.test(detected)) return 'office';
  if (detected === 'application/zip')
    return officeTypes.test(stated) || officeNames.test(name) ? 'office' : null;
  if (detected !== 'application/octet-stream' && !plainTypes.test(detected)) return null;
  if (htmlTypes.test(detected) || htmlTypes.test(stated) || htmlNames.test(name)) return 'html';
  if (detected !== 'application/octet-stream') return 'plain';
  return plainTypes.test(stated) || plainNames.test(name) ? 'plain' : null;
}
