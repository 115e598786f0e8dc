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
export function keepMarkdown(bytes: Buffer): Buffer | null {
  const note = parseKeep(bytes);
  if (note === null) return null;
  const rest = Object.fromEntries(
    Object.entries(note).filter(([name, value]) => !used.has(name) && value !== false && value !== 'DEFAULT'),
  );
  const labels = list(note.labels).flatMap((label) => textOf(label, 'name'));
  const properties: readonly (readonly [string, unknown])[] = [
    ['title', note.title],
    ['tags', labels.length === 0 ? undefined : labels],
    ['created', isoTime(note.createdTimestampUsec)],
    ['modified', isoTime(note.userEditedTimestampUsec)],
    ['keep', Object.keys(rest).length === 0 ? undefined : rest],
  ];
  const lines = properties
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return Buffer.from(['---', ...lines, '---', '', bodyOf(note), ''].join('\n'));
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
function isoTime(microseconds: unknown): string {
  if (typeof microseconds !== 'number') return '';
  const seconds = Math.floor(microseconds / 1e6);
  const days = Math.floor(seconds / 86_400);
  const clock = seconds - days * 86_400;
  const two = (value: number): string => String(value).padStart(2, '0');
  const time = [Math.floor(clock / 3600), Math.floor(clock / 60) % 60, clock % 60].map(two).join(':');
  return `${civilDate(days)}T${time}Z`;
}

/** The date of a day since 1970, in the Gregorian calendar. */
function civilDate(days: number): string {
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const part = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * part + 2) / 5) + 1;
  const month = part < 10 ? part + 3 : part - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}
