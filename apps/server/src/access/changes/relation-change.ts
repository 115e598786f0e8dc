import { invalidField } from '../../foundation/http/http-problems.ts';

/** Additions to and removals from a list of relations; absent and empty are equivalent. */
export interface RelationChange<Name> {
  readonly add: readonly Name[];
  readonly remove: readonly Name[];
}

export function readRelationChange<Name>(
  field: string,
  add: readonly Name[] | undefined,
  remove: readonly Name[] | undefined,
): RelationChange<Name> {
  const [added, removed] = [new Set(add), new Set(remove)];
  if (!added.isDisjointFrom(removed))
    throw invalidField(`${field}_to_remove`, `contains an entry that ${field}_to_add also contains`);
  return { add: [...added], remove: [...removed] };
}

export function isRelationChanged({ add, remove }: RelationChange<unknown>): boolean {
  return add.length > 0 || remove.length > 0;
}
