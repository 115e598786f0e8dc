import type { DecisionContext } from '../decision.ts';
import { insertRevision } from './edition-store.ts';
import type { EditionContents, EditionKey } from './edition.ts';
import { contentsJson } from './edition.ts';

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
  const { number, contents } = revision;
  await insertRevision(context.database, key, { ...revision, at: context.now });
  context.log.push({
    kind: key.kind,
    action: number === 1 ? 'published' : 'revised',
    subject: key.period,
    body: { ...key, revision: number, contents: contentsJson(contents) },
  });
}
