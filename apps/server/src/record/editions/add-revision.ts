import type { JsonValue } from '../../foundation/canonical-json.ts';
import type { DecisionContext } from '../decision.ts';
import { insertRevision, readContents } from './edition-store.ts';
import type { EditionContents, EditionKey } from './edition.ts';
import { contentsJson } from './edition.ts';

/** The content of an edition in the public log, composed from its rows, which order it. */
export function loggedEdition(
  { kind, period }: EditionKey,
  revision: number,
  contents: EditionContents,
): JsonValue {
  return { kind, period, revision, contents: contentsJson(contents) };
}

/** Writes the next revision of an edition, also to the log. */
export async function addRevision(
  context: DecisionContext,
  key: EditionKey,
  revision: {
    readonly number: number;
    readonly contents: EditionContents;
    readonly idempotencyKey?: string | undefined;
  },
): Promise<void> {
  const { number } = revision;
  await insertRevision(context.database, key, { ...revision, at: context.now });
  context.log.push({
    kind: key.kind,
    action: number === 1 ? 'published' : 'revised',
    subject: key.period,
    body: loggedEdition(key, number, await readContents(context.database, key, number)),
  });
}
