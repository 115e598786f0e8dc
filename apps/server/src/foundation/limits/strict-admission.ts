import { rateLimitProblem } from '../http/rate-limit.ts';
import type { StrictLimiter } from './strict-limiter.ts';

/** Admits the key, or answers 429 with the time to wait. */
export async function requireAdmission(limiter: StrictLimiter, key: string, detail: string): Promise<void> {
  const admission = await limiter.admit(key);
  if (!admission.admitted) throw rateLimitProblem(limiter.policy, detail, admission.retryAfterSeconds);
}
