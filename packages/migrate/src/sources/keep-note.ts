import type { ConvertedFile } from '../exports/converted-note.ts';
import { noteMarkdown } from '../exports/converted-note.ts';
import { isoTime } from './calendar-time.ts';

/** A note of Google Keep as Takeout exports it. */
interface KeepNote {
  readonly title?: unknown;
  readonly textContent?: unknown;
  readonly listContent?: unknown;
  readonly labels?: unknown;
  readonly attachments?: unknown;
  readonly annotations?: unknown;
  readonly createdTimestampUsec?: unknown;
  readonly userEditedTimestampUsec?: unknown;
}

const used: ReadonlySet<string> = new Set([
  'title',
  'textContent',
  'textContentHtml',
  'listContent',
  'labels',
  'attachments',
  'annotations',
  'createdTimestampUsec',
  'userEditedTimestampUsec',
]);

/** The note as Markdown, or null where the bytes are no note of Keep. Fields without a place are in `keep`. */
export function keepMarkdown(bytes: Buffer): ConvertedFile | null {
  const note = parseKeep(bytes);
  if (note === null) return null;
  const rest = Object.fromEntries(
    Object.entries(note).filter(([name, value]) => !used.has(name) && value !== false && value !== 'DEFAULT'),
  );
  const labels = list(note.labels).flatMap((label) => textOf(label, 'name'));
  const properties: readonly (readonly [string, unknown])[] = [
    ['title', note.title],
    ['tags', labels.length === 0 ? undefined : labels],
    ['created', timeOf(note.createdTimestampUsec)],
    ['modified', timeOf(note.userEditedTimestampUsec)],
    ['keep', Object.keys(rest).length === 0 ? undefined : rest],
  ];
  const { userEditedTimestampUsec: edited } = note;
  return {
    markdown: noteMarkdown(properties, bodyOf(note)),
    modifiedSeconds: typeof edited === 'number' ? edited / 1e6 : null,
  };
}

function bodyOf(note: KeepNote): string {
  const items = list(note.listContent).map((item) => {
    const isChecked = (item as { readonly isChecked?: unknown } | null)?.isChecked === true;
    return `- [${isChecked ? 'x' : ' '}] ${textOf(item, 'text').join('').replaceAll('\n', '\n  ')}`;
  });
  const links = list(note.annotations).map((one) => {
    const [url = ''] = textOf(one, 'url');
    const [title = url] = textOf(one, 'title');
    return [`- [${title}](${url})`, ...textOf(one, 'description').map((words) => `  ${words}`)].join('\n');
  });
  const files = list(note.attachments).flatMap((one) =>
    textOf(one, 'filePath').map((name) => `![[${name}]]`),
  );
  return [
    typeof note.textContent === 'string' ? note.textContent : '',
    items.join('\n'),
    links.join('\n'),
    files.join('\n'),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function parseKeep(bytes: Buffer): KeepNote | null {
  if (bytes[0] !== 0x7b) return null;
  try {
    const note = JSON.parse(bytes.toString('utf8')) as KeepNote;
    const hasTime =
      typeof note.userEditedTimestampUsec === 'number' && typeof note.createdTimestampUsec === 'number';
    return hasTime && Object.hasOwn(note, 'title') ? note : null;
  } catch {
    return null;
  }
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function textOf(value: unknown, name: string): readonly string[] {
  const found = (value as Readonly<Record<string, unknown>> | null)?.[name];
  return typeof found === 'string' && found !== '' ? [found] : [];
}

/** Microseconds since 1970 as ISO 8601 in UTC. */
function timeOf(microseconds: unknown): string {
  return typeof microseconds === 'number' ? isoTime(microseconds / 1e6) : '';
}
