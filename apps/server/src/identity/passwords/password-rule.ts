import { invalidRequest } from '../../foundation/http/http-problems.ts';
import { ProblemError } from '../../foundation/problem.ts';
import { codePoints } from '../accounts/account.ts';

export const passwordCharsMin = 10;
export const passwordCharsMax = 256;

/** Length is what counts; rules about kinds of characters make passwords worse. */
export function requireGoodPassword(password: string, field = 'password'): void {
  const length = codePoints(password.normalize('NFKC'));
  if (length >= passwordCharsMin && length <= passwordCharsMax) return;
  const message = `must have ${passwordCharsMin} to ${passwordCharsMax} characters`;
  throw new ProblemError(invalidRequest, `${field} ${message}`, {
    errors: [{ in: 'body', name: field, message }],
  });
}
