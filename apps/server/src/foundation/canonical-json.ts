export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

/**
 * RFC 8785: equal values have equal bytes. JSON.stringify already writes numbers and strings as the RFC
 * requires; this adds the order of keys and refuses values without a canonical form. It throws, because text
 * and numbers are validated where they enter the system.
 */
export function canonicalJson(value: JsonValue): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return canonicalNumber(value);
  if (typeof value === 'string') return canonicalString(value);
  if (isArray(value)) return `[${Array.from(value, canonicalJson).join(',')}]`;
  return canonicalObject(value);
}

function canonicalNumber(value: number): string {
  if (!Number.isFinite(value)) throw new TypeError(`${value} has no canonical JSON form`);
  return JSON.stringify(value);
}

function canonicalString(value: string): string {
  if (!value.isWellFormed()) throw new TypeError('a lone surrogate has no canonical JSON form');
  return JSON.stringify(value);
}

function canonicalObject(value: { readonly [key: string]: JsonValue }): string {
  // A Date, a Map or undefined that bypassed the types would otherwise be hashed as something else.
  if (typeof value !== 'object' || !isPlain(value)) throw new TypeError('only plain objects are JSON');
  // The default order of sort() is that of UTF-16 code units, which is the RFC's.
  const members = Object.keys(value)
    .sort()
    .map((key) => `${canonicalString(key)}:${canonicalJson(value[key] as JsonValue)}`);
  return `{${members.join(',')}}`;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function isArray(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
