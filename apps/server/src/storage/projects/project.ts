import type { callers } from '../../access/index.ts';
import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import type { EntryName } from '../entry-name.ts';

export type ProjectId = Id<'project'>;

export interface Project {
  readonly id: ProjectId;
  readonly organization: callers.Organization;
  readonly workspaceId: string;
  readonly name: EntryName;
  readonly createdAt: EpochMicroseconds;
  readonly updatedAt: EpochMicroseconds;
  readonly trashedAt: EpochMicroseconds | null;
}
