import type { callers } from '../../access/index.ts';
import { ProblemError } from '../../foundation/problem.ts';
import type { Container } from '../folders/authorize-entry.ts';
import { authorizeContainer } from '../folders/authorize-entry.ts';
import type { Entry } from '../folders/entry.ts';
import type { AuthorizeDeps } from '../projects/authorize-project.ts';
import { contradicts, tooManyEntries } from '../storage-problems.ts';

/** Where a file or folder is copied or moved to. */
export interface TransferTarget {
  /** Absent: the same project. */
  readonly projectId?: string;
  /** Null: the top level of the project. Absent: the same folder; in another project, the top level. */
  readonly folderId?: string | null;
}

export type AuthorizedTarget = Container & {
  readonly where: { readonly projectId: string; readonly folderId: string | null };
};

/** One transaction copies or moves at most this many folders and files. */
export const transferEntriesMax = 10_000;

export function requireFew(entries: number): void {
  if (entries > transferEntriesMax)
    throw new ProblemError(
      tooManyEntries,
      `At most ${transferEntriesMax} folders and files can be copied or moved at once.`,
    );
}

/** In the same organization, and with permission to create an entry of this kind. */
export async function authorizeTarget(
  deps: AuthorizeDeps,
  caller: callers.Caller,
  source: Entry,
  { projectId = source.projectId, folderId }: TransferTarget,
): Promise<AuthorizedTarget> {
  const inPlace = projectId === source.projectId ? source.parentId : null;
  const where = { projectId, folderId: folderId === undefined ? inPlace : folderId };
  const target = await authorizeContainer(deps, caller, where, { create: source.kind });
  if (target.project.organization.id !== source.organization.id)
    throw contradicts('Files cannot be copied or moved to a project of another organization.');
  return { ...target, where };
}
