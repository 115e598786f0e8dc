import { invalidRequest } from '../../foundation/http/http-problems.ts';
import { ProblemError } from '../../foundation/problem.ts';
import { isAgentCategory } from './agent-category.ts';

/** Removes duplicates and keeps the order; raises `invalid_request` for an unknown category. */
export function requireCategories(ids: readonly string[]): readonly string[] {
  const unknown = ids.findIndex((id) => !isAgentCategory(id));
  if (unknown === -1) return [...new Set(ids)];
  const name = `categories.${unknown}`;
  throw new ProblemError(invalidRequest, `${name} is not a category`, {
    errors: [{ in: 'body', name, message: 'is not a category' }],
  });
}
