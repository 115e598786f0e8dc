import { auditKinds as accessKinds } from '../../../access/index.ts';
import { auditKinds as agentKinds } from '../../../agents/index.ts';
import { createEventSentences } from '../../../audit/index.ts';
import { auditKinds as identityKinds } from '../../../identity/index.ts';
import { auditKinds as storageKinds } from '../../../storage/index.ts';

/** Sentences about events for the person concerned; each module declares those of its own kinds. */
export const activitySentence = createEventSentences([
  ...identityKinds,
  ...accessKinds,
  ...agentKinds,
  ...storageKinds,
]);
