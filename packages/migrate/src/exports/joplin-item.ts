/** An item of Joplin: its first line is the title, its last lines are the properties. */
export interface JoplinItem {
  readonly id: string;
  readonly type: string;
  readonly title: string;
  readonly body: string;
  readonly properties: ReadonlyMap<string, string>;
}

export const joplinFile = /^[0-9a-f]{32}\.md$/;

export const joplinTypes = { note: '1', folder: '2', resource: '4', tag: '5', noteTag: '6' } as const;

/** Null if the text is no item. */
export function readJoplinItem(text: string): JoplinItem | null {
  const lines = text
    .replace(/^\ufeff/, '')
    .trimEnd()
    .split(/\r?\n/);
  const properties = new Map<string, string>();
  let at = lines.length - 1;
  for (; at >= 0 && lines[at] !== ''; at -= 1) {
    const pair = /^([a-z_]+): ?(.*)$/.exec(lines[at] ?? '');
    if (pair === null) return null;
    properties.set(pair[1] ?? '', unescaped(pair[2] ?? ''));
  }
  const [id = '', type = ''] = [properties.get('id'), properties.get('type_')];
  if (!/^[0-9a-f]{32}$/.test(id) || !/^\d+$/.test(type)) return null;
  const content = at <= 0 ? [] : lines.slice(0, at);
  const body = content.slice(content[1] === '' ? 2 : 1).join('\n');
  return { id, type, title: content[0] ?? '', body, properties };
}

/** Joplin writes line feeds of a property as `\n`. */
function unescaped(value: string): string {
  return value.replace(/\\([nr\\])/g, (_, one: string) => (one === 'n' ? '\n' : one === 'r' ? '\r' : '\\'));
}
