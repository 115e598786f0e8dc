import { brotliDecompressSync, gunzipSync } from 'node:zlib';

import type { FastifyInstance, FastifyReply } from 'fastify';
import type { TSchema } from 'typebox';

import { problemContentType, problemResponse, statusOfKind, toProblemError } from './problem-response.ts';
import { ProblemSchema } from './problem-schema.ts';
import { createAjv } from './request-validation.ts';
import type { RouteDeclaration } from './route.ts';
import { problemsOf } from './route.ts';

/** Thrown in tests where a response differs from its route's declaration. */
export class ContractViolation extends Error {}

type BodyCheck = (body: unknown) => string | null;

/**
 * Compares every response with its route's declaration: an undeclared status or an invalid body is logged and
 * answered with 500. It costs a parse and a validation per response, so it is for tests and development.
 */
export function enforceContract(
  server: FastifyInstance,
  onViolation: (violation: ContractViolation) => void,
): void {
  const ajv = createAjv();
  const compile = (schema: TSchema): BodyCheck => {
    const validate = ajv.compile(schema);
    return (body) => (validate(body) ? null : ajv.errorsText(validate.errors));
  };
  const problemCheck = compile(ProblemSchema);
  const checks = new WeakMap<RouteDeclaration, ReadonlyMap<number, BodyCheck | null>>();
  server.addHook('onSend', async (request, reply, payload) => {
    const route = request.routeOptions.config.declaration;
    if (route === undefined) return payload;
    let declared = checks.get(route);
    if (declared === undefined) {
      declared = declaredChecks(route, compile, problemCheck);
      checks.set(route, declared);
    }
    const body = request.method === 'HEAD' ? null : textOf(reply, payload);
    const fault = faultOf(route, declared, reply.statusCode, String(reply.getHeader('content-type')), body);
    if (fault === null) return payload;
    const violation = new ContractViolation(`${route.method} ${route.path}: ${fault}`);
    onViolation(violation);
    // Not thrown: an error handler may have run already, and Fastify would then answer in its own format.
    const problem = problemResponse(toProblemError(violation), request.id);
    reply.code(problem.status).headers(problem.headers).removeHeader('content-encoding').removeHeader('etag');
    return problem.body;
  });
}

function declaredChecks(
  route: RouteDeclaration,
  compile: (schema: TSchema) => BodyCheck,
  problemCheck: BodyCheck,
): ReadonlyMap<number, BodyCheck | null> {
  const declared = new Map<number, BodyCheck | null>();
  for (const [status, { schema }] of Object.entries(route.responses)) {
    declared.set(Number(status), schema === undefined ? null : compile(schema));
  }
  for (const { kind } of problemsOf(route)) {
    const status = statusOfKind[kind];
    const own = route.responses[status] === undefined ? null : (declared.get(status) ?? null);
    declared.set(status, own === null ? problemCheck : (body) => own(body) && problemCheck(body));
  }
  return declared;
}

/** The body as the client will read it, or null where no comparison is possible. */
function textOf(reply: FastifyReply, payload: unknown): string | null {
  if (typeof payload === 'string') return payload;
  if (!Buffer.isBuffer(payload)) return null;
  const encoding = reply.getHeader('content-encoding');
  if (encoding === 'br') return brotliDecompressSync(payload).toString();
  return (encoding === 'gzip' ? gunzipSync(payload) : payload).toString();
}

function faultOf(
  route: RouteDeclaration,
  declared: ReadonlyMap<number, BodyCheck | null>,
  status: number,
  contentType: string,
  body: string | null,
): string | null {
  const check = declared.get(status);
  if (check === undefined) return `status ${status} is not declared`;
  if (check === null || body === null) return null;
  const isJson = contentType.startsWith('application/json') || contentType.startsWith(problemContentType);
  if (!isJson) {
    const presented = route.surface.presentProblem !== undefined && status >= 400;
    return presented || route.responses[status]?.contentType !== undefined
      ? null
      : `content type is ${contentType}`;
  }
  const fault = check(JSON.parse(body));
  return fault === null ? null : `body of ${status}: ${fault}`;
}
