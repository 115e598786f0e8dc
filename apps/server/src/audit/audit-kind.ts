/** Reads one detail of an event; empty if absent. */
export type DetailWord = (name: string) => string;

/** A kind of event. Declared beside the feature that raises it, and listed in the `auditKinds` of its module. */
export interface AuditKind {
  /** The stored name: stable, snake_case. */
  readonly name: string;
  /** The event as a sentence, for the person who reads the log. */
  readonly sentence: (word: DetailWord) => string;
}

export function defineAuditKind(name: string, sentence: string | AuditKind['sentence']): AuditKind {
  return { name, sentence: typeof sentence === 'string' ? () => sentence : sentence };
}

/** A kind that no module declares any more is shown as stored. */
export function createEventSentences(
  kinds: readonly AuditKind[],
): (event: { readonly kind: string; readonly detail: unknown }) => string {
  const byName = new Map(kinds.map((kind) => [kind.name, kind]));
  if (byName.size < kinds.length) throw new RangeError('two kinds of audit events have one name');
  return ({ kind, detail }) => {
    const known = byName.get(kind);
    if (known === undefined) return `${kind.replaceAll('_', ' ')}.`;
    return known.sentence((name) => wordOf(detail, name));
  };
}

function wordOf(detail: unknown, name: string): string {
  if (typeof detail !== 'object' || detail === null || !Object.hasOwn(detail, name)) return '';
  const value = (detail as Readonly<Record<string, unknown>>)[name];
  return typeof value === 'string' ? value : '';
}
