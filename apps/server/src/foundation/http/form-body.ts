import type { FastifyInstance } from 'fastify';
import type { TObject } from 'typebox';

import { ProblemError } from '../problem.ts';
import { invalidRequest } from './http-problems.ts';

export const formContentType = 'application/x-www-form-urlencoded';

const fieldsMax = 500;

/** What a browser sends for a form, read by the route's schema: an array takes every value, everything else takes one. */
export function readForm(text: string, schema: TObject): Record<string, string | string[]> {
  const parameters = new URLSearchParams(text);
  if (parameters.size > fieldsMax) throw refuse('', `has more than ${fieldsMax} fields`);
  const properties = schema.properties as Record<string, { readonly type?: string }>;
  // Without a prototype, or a field named `__proto__` would vanish instead of being refused.
  const form = Object.create(null) as Record<string, string | string[]>;
  for (const name of new Set(parameters.keys())) {
    // A field that was left empty is sent all the same.
    const values = parameters.getAll(name).filter((value) => value !== '');
    const [value] = values;
    if (properties[name]?.type === 'array') form[name] = values;
    else if (values.length > 1) throw refuse(name, 'must be given once');
    else if (value !== undefined) form[name] = value;
  }
  return form;
}

function refuse(name: string, message: string): ProblemError {
  return new ProblemError(invalidRequest, `${name || 'the form'} ${message}`, {
    errors: [{ in: 'body', name, message }],
  });
}

/** Whether a route gets one at all is decided before anything is read. */
export function registerFormParser(server: FastifyInstance): void {
  server.addContentTypeParser(formContentType, { parseAs: 'string' }, (request, text, done) => {
    const schema = request.routeOptions.config.declaration?.body;
    try {
      done(null, schema === undefined ? {} : readForm(String(text), schema));
    } catch (error) {
      done(error as Error, undefined);
    }
  });
}
