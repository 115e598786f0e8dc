import type { Database } from '../../foundation/database/database.ts';
import { everyRow } from '../../foundation/pagination/every-row.ts';
import { selectAllProjects } from '../projects/project-store.ts';
import type { Project } from '../projects/project.ts';
import { selectEntriesMadeBy } from './entry-store.ts';
import type { Entry } from './entry.ts';

/** Every folder and file that a person created in an organization, by project. Only for that person. */
export async function* listMadeEntries(
  database: Database,
  { organizationId, accountId }: { readonly organizationId: string; readonly accountId: string },
): AsyncGenerator<{ readonly project: Project; readonly entry: Entry }> {
  for await (const project of everyRow((page) => selectAllProjects(database, organizationId, page))) {
    const made = everyRow((page) => selectEntriesMadeBy(database, project.id, accountId, page));
    for await (const entry of made) yield { project, entry };
  }
}
