import type { Assertion, Exclusion, Expectations, Expected } from './assertion.ts';

/** Files of feedparser carry what is expected of them as a Python expression in a comment at their top. */
export function feedparserExpectations(document: string, bytes: Uint8Array): Expectations {
  const text = commentText(bytes);
  const line = /^\s*Expect:\s*(?<expression>.*)$/mu.exec(text)?.groups?.['expression'];
  if (line === undefined) return { assertions: [], exclusions: [] };
  const assertions: Assertion[] = [];
  const exclusions: Exclusion[] = [];
  const plain = /\b(?:type|mode)=["'](?:text|text\/plain)["']/iu.test(text);
  for (const conjunct of conjuncts(line.trim())) {
    const found = comparison(conjunct, plain);
    if (found === null) continue;
    const reason = exclusionReason(document, found.path);
    if (reason !== null) exclusions.push({ document, reason });
    else if (found.assertion !== null) assertions.push({ document, ...found.assertion });
  }
  return { assertions, exclusions };
}

/** Headers that the document is to be served with, as `Header: Content-Location: …` lines. */
export function feedparserHeaders(bytes: Uint8Array): ReadonlyMap<string, string> {
  const lines = commentText(bytes).matchAll(/^\s*Header:\s*(?<name>[A-Za-z-]+):\s*(?<value>.*)$/gmu);
  return new Map(
    [...lines].map(({ groups }) => [
      (groups?.['name'] ?? '').toLowerCase(),
      (groups?.['value'] ?? '').trim(),
    ]),
  );
}

/** The comment is ASCII but for a few expectations; the document around it may be in any encoding. */
function commentText(bytes: Uint8Array): string {
  const encoding = wideEncoding(bytes);
  if (encoding !== null) return encoding(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('latin1').decode(bytes);
  }
}

function wideEncoding(bytes: Uint8Array): ((bytes: Uint8Array) => string) | null {
  const zeros = [0, 1, 2, 3].map((at) => bytes[at] === 0);
  if (zeros.filter(Boolean).length >= 2) return everyFourth;
  if ((bytes[0] === 0xfe && bytes[1] === 0xff) || zeros[0] === true) return utf16('utf-16be');
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || zeros[1] === true) return utf16('utf-16le');
  return null;
}

function utf16(label: string): (bytes: Uint8Array) => string {
  return (bytes) => new TextDecoder(label).decode(bytes);
}

function everyFourth(bytes: Uint8Array): string {
  return new TextDecoder('latin1').decode(bytes.filter((byte) => byte !== 0));
}

/** Splits at `and` outside quotes and brackets. */
function conjuncts(expression: string): readonly string[] {
  const parts: string[] = [];
  let quote = '';
  let depth = 0;
  let start = 0;
  for (let at = 0; at < expression.length; at += 1) {
    const character = expression[at] ?? '';
    if (quote !== '') {
      if (character === '\\') at += 1;
      else if (character === quote) quote = '';
    } else if (character === "'" || character === '"') quote = character;
    else if ('([{'.includes(character)) depth += 1;
    else if (')]}'.includes(character)) depth -= 1;
    else if (depth === 0 && expression.startsWith(' and ', at)) {
      parts.push(expression.slice(start, at).trim());
      start = at + 5;
    }
  }
  parts.push(expression.slice(start).trim());
  return parts.flatMap((part) =>
    part.startsWith('(') && part.endsWith(')') ? conjuncts(part.slice(1, -1)) : [part],
  );
}

const comparisonForm =
  /^(?<call>ord\()?(?<subject>feed|entries\[(?<entry>\d+)\])(?<path>(?:\[u?'[a-z_-]+'\]|\[\d+\]|\.[a-z_]+)+)\)? == (?<literal>.*)$/su;

function comparison(
  conjunct: string,
  plain: boolean,
): { readonly path: string; readonly assertion: Omit<Assertion, 'document'> | null } | null {
  const groups = comparisonForm.exec(conjunct)?.groups;
  if (groups === undefined) return null;
  const path = [...(groups['path'] ?? '').matchAll(/[a-z_-]+|\d+/gu)].map(([name]) => name).join('.');
  const entry = groups['entry'] === undefined ? null : Number(groups['entry']);
  const field = fieldOf(path, entry !== null);
  if (field === null) return null;
  const expected = expectedOf(path, groups['literal'] ?? '', groups['call'] !== undefined, plain);
  return { path, assertion: expected === null ? null : { entry, field, expected } };
}

const dateFields: Readonly<Record<string, Assertion['field']>> = {
  published: 'published',
  issued: 'published',
  created: 'published',
  updated: 'updated',
  modified: 'updated',
  date: 'updated',
  expired: 'updated',
};

function fieldOf(path: string, ofEntry: boolean): Assertion['field'] | null {
  const date = dateFields[path.replace(/_parsed$/u, '')];
  if (date !== undefined) return date;
  if (path === 'title' || path === 'title_detail.value') return 'title';
  if (path === 'link' || /^links\.\d\.href$/u.test(path)) return 'link';
  if (path === 'id' || path === 'guid') return 'id';
  if (!ofEntry) return null;
  if (path === 'description' || path === 'summary' || path === 'summary_detail.value') return 'summary';
  return /^content\.\d\.value$/u.test(path) ? 'content' : null;
}

function expectedOf(path: string, literal: string, ordinal: boolean, plain: boolean): Expected | null {
  if (ordinal) return { form: 'text', value: String.fromCodePoint(Number(literal)), plain };
  if (literal.startsWith('(')) return instantOf(literal);
  const value = pythonString(literal);
  if (value === null) return null;
  const isText = /^(?:title|description|summary|content)/u.test(path);
  return isText ? { form: 'text', value, plain } : { form: 'exact', value };
}

function instantOf(tuple: string): Expected {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = tuple
    .slice(1, -1)
    .split(',')
    .map(Number);
  return { form: 'instant', value: Date.UTC(year, month - 1, day, hour, minute, second) / 1000 };
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };

function pythonString(literal: string): string | null {
  const quoted = /^u?(?<quote>'{3}|"{3}|['"])(?<body>.*)\k<quote>$/su
    .exec(literal.trim())
    ?.groups?.['body']?.replaceAll("' + '", '');
  return (
    quoted?.replaceAll(
      /\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|U([0-9a-f]{8})|(.))/giu,
      (_, x: string | undefined, u: string | undefined, wide: string | undefined, other: string) => {
        const code = x ?? u ?? wide;
        return code === undefined
          ? (escapes[other] ?? other)
          : String.fromCodePoint(Number.parseInt(code, 16));
      },
    ) ?? null
  );
}

function exclusionReason(document: string, path: string): string | null {
  if (document.includes('/cdf/')) return 'CDF, a format of 1997 that no publisher sends';
  if (path.startsWith('links.')) return 'the list of all links; an entry here has the one to its article';
  if (path.startsWith('expired')) return 'date of expiry, which is not a date of publication';
  return null;
}
