import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import type { TSchema } from 'typebox';

import type { FieldError } from '../problem.ts';
import { ProblemError } from '../problem.ts';
import { invalidRequest } from './http-problems.ts';
import { probableField } from './probable-field.ts';
import { BadParameter } from './query-string.ts';

export type RequestPart = FieldError['in'];

// Formats document the value for readers; patterns and types enforce it.
const annotations = [
  'date',
  'date-time',
  'uri',
  'uri-reference',
  'uuid',
  'email',
  'int32',
  'int64',
  'binary',
  'named-file',
];

export function createAjv(): Ajv2020 {
  const ajv = new Ajv2020({ allErrors: true, strict: true, strictTypes: false, verbose: true });
  for (const name of annotations) ajv.addFormat(name, true);
  return ajv;
}

/** A function that returns the validated value or raises `invalid_request` naming every invalid place. */
export function createValidator(
  ajv: Ajv2020,
  schema: TSchema,
  part: RequestPart,
): (value: unknown) => unknown {
  const validate: ValidateFunction = ajv.compile(schema);
  const textual = part === 'query' || part === 'path' || part === 'header';
  const { properties = {}, additionalProperties } = schema as {
    properties?: Record<string, { type?: string }>;
    additionalProperties?: boolean;
  };
  // A query schema with additional properties ignores the unknown ones.
  const ignoresUnknown = textual && additionalProperties === true;
  // Most requests have no parameters; their result is computed once.
  const none = textual ? Object.freeze(readText({}, properties, part, [])) : undefined;
  const noneIsValid = none !== undefined && validate(none);
  return (value) => {
    if (noneIsValid && isEmpty(value)) return none;
    const errors: FieldError[] = [];
    const candidate = textual
      ? readText(ignoresUnknown ? named(value, properties) : value, properties, part, errors)
      : value;
    if (part === 'body') refuseUnstorable(value, [], errors);
    if (errors.length === 0 && validate(candidate)) return candidate;
    if (errors.length === 0)
      errors.push(...(validate.errors ?? []).slice(0, errorsMax).map((error) => fieldError(error, part)));
    const [first] = errors;
    const detail =
      first === undefined
        ? 'The request does not match the API description.'
        : `${first.name || part} ${first.message}`;
    throw new ProblemError(invalidRequest, detail, { errors });
  };
}

function named(value: unknown, properties: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value as object).filter(([name]) => Object.hasOwn(properties, name)),
  );
}

function isEmpty(value: unknown): boolean {
  for (const _name in value as object) return false;
  return true;
}

/** Integers are digits only: no sign, no exponent, no blanks, which a lenient conversion would accept. */
function readText(
  value: unknown,
  properties: Record<string, { type?: string; default?: unknown }>,
  part: RequestPart,
  errors: FieldError[],
): Record<string, unknown> {
  // Without a prototype, or a parameter named `__proto__` would vanish instead of being refused.
  const read = Object.create(null) as Record<string, unknown>;
  for (const [name, raw] of Object.entries(value as Record<string, unknown>)) {
    if (raw instanceof BadParameter) errors.push({ in: part, name, message: raw.reason });
    else if (typeof raw === 'string' && raw.includes('\0')) {
      errors.push({ in: part, name, message: 'contains a NUL character' });
    } else if (typeof raw === 'string' && properties[name]?.type === 'integer') {
      read[name] = /^[0-9]{1,15}$/.test(raw) ? Number(raw) : raw;
    } else read[name] = raw;
  }
  for (const [name, { default: fallback }] of Object.entries(properties)) {
    if (fallback !== undefined && !(name in read)) read[name] = fallback;
  }
  return read;
}

const depthMax = 32;
/** Bounds the number of reported errors. */
const errorsMax = 20;

/** PostgreSQL stores neither NUL nor half a surrogate pair; the caller should get a validation error. */
function refuseUnstorable(value: unknown, path: readonly string[], errors: FieldError[]): void {
  if (errors.length >= errorsMax) return;
  const refuse = (message: string): number => errors.push({ in: 'body', name: path.join('.'), message });
  if (typeof value === 'string') {
    if (value.includes('\0')) refuse('contains a NUL character');
    else if (!value.isWellFormed()) refuse('contains half a surrogate pair');
  } else if (typeof value === 'object' && value !== null && !(value instanceof Uint8Array)) {
    if (path.length >= depthMax) {
      refuse('is nested too deeply');
      return;
    }
    for (const [key, inner] of Object.entries(value)) {
      refuseUnstorable(key, path, errors);
      refuseUnstorable(inner, [...path, key], errors);
    }
  }
}

function fieldError(error: ErrorObject, part: RequestPart): FieldError {
  const path = error.instancePath.split('/').slice(1).join('.');
  const params = error.params as {
    additionalProperty?: string;
    missingProperty?: string;
    allowedValues?: unknown[];
  };
  if (params.additionalProperty !== undefined) {
    const { properties = {} } = (error.parentSchema ?? {}) as { properties?: object };
    const meant = probableField(params.additionalProperty, Object.keys(properties));
    const what = part === 'body' ? 'field' : 'parameter';
    const message = `is not a ${what} of this request${meant === null ? '' : `; did you mean ${meant}?`}`;
    return { in: part, name: join(path, params.additionalProperty), message };
  }
  if (params.missingProperty !== undefined) {
    return { in: part, name: join(path, params.missingProperty), message: 'is required' };
  }
  if (params.allowedValues !== undefined) {
    return { in: part, name: path, message: `must be one of ${params.allowedValues.join(', ')}` };
  }
  return { in: part, name: path, message: error.message ?? 'is not valid' };
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
