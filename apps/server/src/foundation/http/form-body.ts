import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { TObject } from 'typebox';
import { Type } from 'typebox';

import { ProblemError } from '../problem.ts';
import { invalidRequest, unsupportedMediaType } from './http-problems.ts';

export const formContentType = 'application/x-www-form-urlencoded';
export const multipartContentType = 'multipart/form-data';

const fieldsMax = 500;

/** A browser's form, parsed by the route's schema: an array takes every value, everything else takes one. */
export function readForm(text: string, schema: TObject): Record<string, string | string[]> {
  const parameters = new URLSearchParams(text);
  if (parameters.size > fieldsMax) throw refuse('', `has more than ${fieldsMax} fields`);
  const properties = schema.properties as Record<string, { readonly type?: string }>;
  // Without a prototype, or a field named `__proto__` would vanish instead of being refused.
  const form = Object.create(null) as Record<string, string | string[]>;
  for (const name of new Set(parameters.keys())) {
    // Browsers also send empty fields.
    const values = parameters.getAll(name).filter((value) => value !== '');
    const [value] = values;
    if (properties[name]?.type === 'array') form[name] = values;
    else if (values.length > 1) throw refuse(name, 'must be sent only once');
    else if (value !== undefined) form[name] = value;
  }
  return form;
}

/** A field of a multipart form whose bytes are used. */
export const UploadedFile = Type.Unsafe<Buffer>({ format: 'binary' });

export interface NamedFile {
  /** As the client names it. */
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: Buffer;
}
/** The same, with the name and media type of the file. */
export const UploadedNamedFile = Type.Unsafe<NamedFile>({ format: 'named-file' });

/** The same with files; each field once. The route bounds the body, which is read completely. */
export async function readMultipart(
  body: Buffer,
  contentType: string,
  schema: TObject,
): Promise<Record<string, string | Buffer | NamedFile>> {
  const parts = await parseMultipart(body, contentType);
  const names = [...parts.keys()];
  if (names.length > fieldsMax) throw refuse('', `has more than ${fieldsMax} fields`);
  const properties = schema.properties as Record<string, { readonly format?: string }>;
  const form = Object.create(null) as Record<string, string | Buffer | NamedFile>;
  for (const [name, value] of parts.entries()) {
    if (names.filter((one) => one === name).length > 1) throw refuse(name, 'must be sent only once');
    const isFile = typeof value !== 'string';
    const { format } = properties[name] ?? {};
    const wantsFile = format === 'binary' || format === 'named-file';
    if (name in properties && isFile !== wantsFile)
      throw refuse(name, wantsFile ? 'must be a file' : 'must be text');
    // Browsers also send empty fields.
    const read = isFile ? Buffer.from(await value.arrayBuffer()) : value;
    if (isFile && format === 'named-file') {
      if (value.name !== '')
        form[name] = { name: value.name, mediaType: value.type, bytes: Buffer.from(read) };
    } else if (read.length > 0) form[name] = read;
  }
  return form;
}

async function parseMultipart(body: Buffer, contentType: string): Promise<FormData> {
  try {
    const headers = { 'content-type': contentType };
    return await new Response(new Uint8Array(body), { headers }).formData();
  } catch {
    throw refuse('', 'cannot be read');
  }
}

function refuse(name: string, message: string): ProblemError {
  return new ProblemError(invalidRequest, `${name || 'the form'} ${message}`, {
    errors: [{ in: 'body', name, message }],
  });
}

/** Whether a route accepts one at all is decided before anything is read. */
export function registerFormParser(server: FastifyInstance): void {
  server.addContentTypeParser(formContentType, { parseAs: 'string' }, (request, text, done) => {
    const schema = request.routeOptions.config.declaration?.body;
    try {
      done(null, schema === undefined ? {} : readForm(String(text), schema));
    } catch (error) {
      done(error as Error, undefined);
    }
  });
  server.addContentTypeParser<Buffer>(
    multipartContentType,
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => {
      const { body: schema, bodyFormat } = request.routeOptions.config.declaration ?? {};
      if (schema === undefined || bodyFormat !== 'multipart')
        throw new ProblemError(unsupportedMediaType, 'This form does not accept files.');
      return readMultipart(body, request.headers['content-type'] ?? '', schema);
    },
  );
}
