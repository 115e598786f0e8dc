import type { ValidateFunction } from 'ajv/dist/2020.js';
import { Ajv2020 } from 'ajv/dist/2020.js';

import type { HttpAnswer } from './http-question.ts';

interface Content {
  readonly schema: object;
}
interface Operation {
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Content>> }>>;
}
export interface Description {
  readonly paths: Readonly<Record<string, { readonly get: Operation }>>;
}

/** What the layers below any route may answer, whatever the address: RFC 9110 and the decisions on HTTP name them. */
const beforeRouting = new Set([400, 404, 405, 408, 413, 415, 417, 431]);

/** Compares responses only with the description that the server itself serves. */
export class AnswerJudge {
  readonly #routes: readonly { readonly form: RegExp; readonly operation: Operation }[];
  readonly #ajv = new Ajv2020({ strict: false, validateFormats: false });
  readonly #validators = new Map<object, ValidateFunction>();
  readonly #problem: ValidateFunction;

  constructor(description: Description) {
    this.#ajv.addSchema({ ...description, $id: 'description' });
    this.#problem = this.#ajv.compile({ $ref: 'description#/components/schemas/Problem' });
    // Fixed addresses first, as a router decides between `latest` and `{date}`.
    this.#routes = Object.entries(description.paths)
      .sort(([one], [other]) => Number(one.includes('{')) - Number(other.includes('{')))
      .map(([path, { get }]) => ({
        form: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]*')}$`),
        operation: get,
      }));
  }

  /** Null if the response is as described; else its error. */
  fault(path: string, method: string, answer: HttpAnswer): string | null {
    try {
      return this.#judge(path, method, answer);
    } catch (error) {
      return `${answer.status}: ${String(error)}`;
    }
  }

  #judge(path: string, method: string, answer: HttpAnswer): string | null {
    const { status } = answer;
    if (!(status >= 200 && status < 600)) return `status ${status}`;
    if (status >= 500 && status !== 503) return `status ${status}: ${answer.text.slice(0, 200)}`;
    if (isPage(answer) && !programPaths.test(path)) return pageFault(answer);
    if (status >= 400) return this.#problemFault(answer) ?? this.#statusFault(path, method, status);
    if (answer.headers['x-request-id'] === undefined) return 'no X-Request-Id';
    if (status === 204) return method === 'OPTIONS' ? null : 'an unexpected 204';
    return this.#bodyFault(path, answer);
  }

  #problemFault({ status, headers, text }: HttpAnswer): string | null {
    if (headers['content-type'] !== 'application/problem+json')
      return `${status} of type ${headers['content-type']}`;
    const body = JSON.parse(text) as { status: number; requestId: string; retryAfter?: number };
    if (!this.#problem(body)) return `${status}: ${this.#ajv.errorsText(this.#problem.errors)}`;
    if (body.status !== status || body.requestId !== headers['x-request-id'])
      return `${status}: body and headers differ`;
    if (headers['cache-control'] !== 'no-store') return `${status} may be stored`;
    const retryAfter = headers['retry-after'];
    const mustWait = status === 429 || status === 503;
    if (mustWait && !(Number(retryAfter) >= 1 && body.retryAfter === Number(retryAfter)))
      return `${status} without Retry-After`;
    return status === 405 && headers.allow === undefined ? '405 without Allow' : null;
  }

  #statusFault(path: string, method: string, status: number): string | null {
    const operation = this.#operationOf(path);
    if (operation === null || method !== 'GET' || String(status) in operation.responses) return null;
    return beforeRouting.has(status) ? null : `status ${status} is not declared`;
  }

  #bodyFault(path: string, { status, headers, text }: HttpAnswer): string | null {
    const operation = this.#operationOf(path);
    if (operation === null) return `${status} at an address that is not described`;
    const declared = operation.responses[String(status)];
    if (declared === undefined) return `status ${status} is not declared`;
    if (headers.etag === undefined || headers['cache-control'] === undefined) return `${status} without ETag`;
    if (status === 308 && headers.location === undefined) return '308 without Location';
    if (declared.content === undefined) return text === '' ? null : `${status} with a body`;
    const type = headers['content-type'] ?? '';
    const content = declared.content[type] ?? declared.content[type.split(';')[0] ?? ''];
    if (content === undefined) return `${status} of type ${type}`;
    const validate = this.#validatorOf(content.schema);
    const isJson = type.includes('json');
    if (validate(isJson ? JSON.parse(text) : text)) return null;
    return `body of ${status}: ${this.#ajv.errorsText(validate.errors).slice(0, 300)}`;
  }

  #validatorOf(schema: object): ValidateFunction {
    let validate = this.#validators.get(schema);
    if (validate === undefined) {
      const rooted = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"description#/')) as object;
      validate = this.#ajv.compile(rooted);
      this.#validators.set(schema, validate);
    }
    return validate;
  }

  #operationOf(path: string): Operation | null {
    const plain = addressOf(path);
    return this.#routes.find(({ form }) => form.test(plain))?.operation ?? null;
  }
}

/** Where an error must have the form for programs. */
const programPaths = /^\/(?:api|agent|feeds|dm)\//;

function isPage({ headers }: HttpAnswer): boolean {
  return headers['content-type'] === 'text/html; charset=utf-8';
}

/** An address outside the news API may be a page, or the page for not found. */
function pageFault({ status, headers }: HttpAnswer): string | null {
  if (!String(headers['content-security-policy']).startsWith("default-src 'none'"))
    return `${status} without a policy`;
  if (headers['x-request-id'] === undefined) return 'no X-Request-Id';
  return status >= 400 && headers['cache-control'] !== 'no-store' ? `${status} may be stored` : null;
}

/** As a router reads it: without query and fragment, decoded once; an encoded slash stays inside its segment. */
function addressOf(path: string): string {
  const plain = path.replace(/^https?:\/\/[^/]*/, '').split(/[?#;]/)[0] ?? '';
  try {
    return plain
      .split('/')
      .map((segment) => decodeURIComponent(segment).replaceAll('/', '%2F'))
      .join('/');
  } catch {
    return plain;
  }
}
