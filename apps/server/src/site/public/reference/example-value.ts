import type { ApiDocument, Schema } from './api-document.ts';
import { alternatives } from './api-document.ts';

const uuid = '019a83c1-7f00-7a3b-9c1d-2e4f60718293';

const byFormat: Readonly<Record<string, string>> = {
  uuid,
  date: '2026-11-14',
  'date-time': '2026-11-14T08:31:12.408Z',
  email: 'ada@example.org',
  uri: 'https://example.org/',
  'uri-reference': '/problems/not-found',
};

/** Used without a declared example or format; `reference-pages.test.ts` validates the shown values. */
const byName: Readonly<Record<string, unknown>> = {
  platform_key: 'acme',
  org: 'acme',
  username: 'ada',
  name: 'release-robot',
  week: '2026-W46',
  month: '2026-11',
  q: 'model',
  publicId: uuid,
  id: uuid,
  unique_id: uuid,
  key_id: uuid,
  code_verifier: 'k3J-Tq0aV9xYb7LmWc2RzE5uHd8NfPs1GoXi4Bv6QyA',
  password: 'correct horse battery staple',
  expires: '3600',
  expires_in: '3600',
  actions: 'Daybook.Storage/*/read',
  resources: '/organizations/acme/projects/**',
};

/** An example value of a schema. */
export function exampleOf(schema: Schema, document: Pick<ApiDocument, 'schemas'>, name = ''): unknown {
  const {
    of: [first],
  } = alternatives(schema, document);
  if (first === undefined) return null;
  if (first.examples !== undefined) return first.examples[0];
  if (first.const !== undefined) return first.const;
  if (first.enum !== undefined) return first.enum[0];
  if (first.default !== undefined) return first.default;
  const type = Array.isArray(first.type) ? first.type[0] : first.type;
  if (type === 'object' || first.properties !== undefined) {
    const properties = Object.entries(first.properties ?? {});
    return Object.fromEntries(properties.map(([key, inner]) => [key, exampleOf(inner, document, key)]));
  }
  if (type === 'array') return first.items === undefined ? [] : [exampleOf(first.items, document, name)];
  if (type === 'boolean') return true;
  if (type === 'integer' || type === 'number') return Math.max(first.minimum ?? 1, 1);
  return exampleText(first, name);
}

function exampleText({ format, pattern, maxLength }: Schema, name: string): unknown {
  const known = byFormat[format ?? ''] ?? byName[name];
  if (known !== undefined) return known;
  if (pattern?.includes('{64}') === true) return '5f'.repeat(32);
  return pattern?.startsWith('^[0-9a-f]{8}-') === true ? uuid : 'text'.slice(0, maxLength);
}
