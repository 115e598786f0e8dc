import { credentialKinds as ofAccess } from '../access/wiring.ts';
import { scheduleKind } from '../agents/schedules/index.ts';
import { credentialKinds as ofIdentity } from '../identity/index.ts';
import { linkKind } from '../storage/wiring.ts';
import { feedAddresses, webhookKind } from '../watch/wiring.ts';

/** Of all domains. Those of accounts come last, because sessions end last. */
export const credentialKinds = [
  ...ofAccess,
  linkKind,
  feedAddresses,
  webhookKind,
  scheduleKind,
  ...ofIdentity,
];
