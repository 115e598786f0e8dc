import { auditKinds as accessKinds } from '../../../access/index.ts';
import { auditKinds as agentKinds } from '../../../agents/index.ts';
import { createEventSentences } from '../../../audit/index.ts';
import { auditKinds as identityKinds } from '../../../identity/index.ts';
import { auditKinds as storageKinds } from '../../../storage/index.ts';
import { auditKinds as watchKinds } from '../../../watch/index.ts';
import { pageLanguage, sayKnown, sayTemplate } from '../../shell/words/say.ts';

const english = createEventSentences([
  ...identityKinds,
  ...accessKinds,
  ...agentKinds,
  ...storageKinds,
  ...watchKinds,
]);

/** Values that Daybook defines; the others are names that people gave. */
const codes: ReadonlySet<string> = new Set(['entryKind', 'from', 'level', 'role', 'thing', 'to']);

/** Sentences about events for the person concerned; each module declares those of its own kinds. */
export function activitySentence({
  kind,
  detail,
}: {
  readonly kind: string;
  readonly detail: unknown;
}): string {
  // A sentence may depend on a value of the event: only the Chinese one is looked up by placeholders.
  if (pageLanguage() === 'en') return english({ kind, detail });
  const values = Object.fromEntries(
    Object.entries(typeof detail === 'object' && detail !== null ? detail : {}).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== '',
    ),
  );
  const names = Object.keys(values).map((name) => [name, `{${name}}`]);
  const worded = Object.entries(values).map(([name, value]) => [
    name,
    codes.has(name) ? sayKnown(value) : value,
  ]);
  return sayTemplate(english({ kind, detail: Object.fromEntries(names) }), Object.fromEntries(worded));
}
