import type { Suite } from '@daybook/evidence';

import { benchLocalLimiter } from '../local-limiter-cost.ts';
import { benchStrictLimiter } from '../strict-limiter-rate.ts';

export const suite: Suite = {
  name: 'limits',
  nightly: true,
  summary: 'cost of a call of both limiters',
  promise:
    'The anonymous surface’s limiter costs at most 5 µs a call, and at most 1.5 × as much with a million addresses as with one; bare is the memory limiter of rate-limiter-flexible (a fixed window) in the same run. The strict limiter’s decision in PostgreSQL stands beside a bare `UPDATE … RETURNING` of a counter over the same four connections.',
  run: async (context) => {
    await benchLocalLimiter(context);
    await benchStrictLimiter(context);
  },
};
