import type { FastifyInstance } from 'fastify';
import type { TSchema } from 'typebox';

import { problemContentType, statusOfKind } from './problem-response.ts';
import { ProblemSchema } from './problem-schema.ts';
import { createAjv } from './request-validation.ts';
import type { RouteDeclaration } from './route.ts';

/** Raised in tests where an answer is not what its route declares. */
export class ContractViolation extends Error {}

type BodyCheck = (body: unknown) => string | null;

/**
 * Compares every answer with its route's declaration: an undeclared status, or a body off its schema, is reported
 * and answered with 500. It costs a parse and a validation per answer, so it is for tests and development.
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
    if (reply.hasHeader('content-encoding') || request.method === 'HEAD') return payload;
    const violation = violationOf(
      route,
      declared,
      reply.statusCode,
      String(reply.getHeader('content-type')),
      payload,
    );
    if (violation === null) return payload;
    onViolation(new ContractViolation(`${route.method} ${route.path}: ${violation}`));
    throw new ContractViolation(violation);
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
  for (const { kind } of [...route.problems, ...route.surface.problems])
    declared.set(statusOfKind[kind], problemCheck);
  return declared;
}

function violationOf(
  route: RouteDeclaration,
  declared: ReadonlyMap<number, BodyCheck | null>,
  status: number,
  contentType: string,
  payload: unknown,
): string | null {
  const check = declared.get(status);
  if (check === undefined) return `status ${status} is not declared`;
  if (check === null || typeof payload !== 'string') return null;
  const isJson = contentType.startsWith('application/json') || contentType.startsWith(problemContentType);
  if (!isJson)
    return route.responses[status]?.contentType === undefined ? `content type is ${contentType}` : null;
  const fault = check(JSON.parse(payload));
  return fault === null ? null : `body of ${status}: ${fault}`;
}
