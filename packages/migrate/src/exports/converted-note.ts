/** A file of another program that is one note. */
export interface ConvertedFile {
  readonly markdown: string;
  /** The time of its last change as the program has recorded it; null if it has not. */
  readonly modifiedSeconds: number | null;
}

export type NoteProperties = readonly (readonly [name: string, value: unknown])[];

/** A note with its properties as front matter. JSON is YAML, so values cannot break out of it. */
export function noteMarkdown(properties: NoteProperties, body: string): string {
  const lines = properties
    .filter(([, value]) => !isEmpty(value))
    .map(([name, value]) => `${name}: ${yamlValue(value)}`);
  if (lines.length === 0) return `${body}\n`;
  return ['---', ...lines, '---', '', body, ''].join('\n');
}

/** YAML does not allow these characters as they are. */
function yamlValue(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === '') return true;
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

/** A fence that the text cannot close. */
export function fenced(text: string, language = ''): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((ticks) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${/^[\w+#.-]{1,30}$/.test(language) ? language : ''}\n${text}\n${fence}`;
}

/** The address of a Markdown link to a file beside the note. */
export function fileAddress(name: string): string {
  return name
    .split('/')
    .map(encodeURIComponent)
    .join('/')
    .replace(/[()]/g, (one) => (one === '(' ? '%28' : '%29'));
}

/** The label of a link without what would end it. */
export function linkLabel(text: string): string {
  return text.replace(/[[\]\n]+/g, ' ').trim();
}
