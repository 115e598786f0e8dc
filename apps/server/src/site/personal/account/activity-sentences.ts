import { auditKinds as accessKinds } from '../../../access/index.ts';
import { auditKinds as agentKinds } from '../../../agents/index.ts';
import { createEventSentences } from '../../../audit/index.ts';
import { auditKinds as identityKinds } from '../../../identity/index.ts';
import { auditKinds as storageKinds } from '../../../storage/index.ts';

/** What happened, for the person it happened to; each module says it of the kinds that it declares. */
export const activitySentence = createEventSentences([
  ...identityKinds,
  ...accessKinds,
  ...agentKinds,
  ...storageKinds,
]);
