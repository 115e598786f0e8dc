import { rateLimitProblem } from '../http/rate-limit.ts';
import type { StrictLimiter } from './strict-limiter.ts';

/** Lets the key pass, or answers 429 with how long to wait. */
export async function requireAdmission(limiter: StrictLimiter, key: string, detail: string): Promise<void> {
  const admission = await limiter.admit(key);
  if (!admission.admitted) throw rateLimitProblem(limiter.policy, detail, admission.retryAfterSeconds);
}
