import type { Suite } from '@daybook/evidence';

import { benchLocalLimiter } from '../local-limiter-cost.ts';
import { benchStrictLimiter } from '../strict-limiter-rate.ts';

export const suite: Suite = {
  name: 'limits',
  nightly: true,
  summary: 'cost of a call of each limiter',
  promise:
    'A call of the limiter of the anonymous surface takes at most 5 µs, and with a million addresses at most 1.5 × as long as with one; bare is the memory limiter of rate-limiter-flexible (a fixed window) in the same run. A decision of the strict limiter in PostgreSQL is compared with a bare `UPDATE … RETURNING` of a counter over the same four connections.',
  run: async (context) => {
    await benchLocalLimiter(context);
    await benchStrictLimiter(context);
  },
};
