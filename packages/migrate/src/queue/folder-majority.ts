import type { DatabaseSync } from 'node:sqlite';

import { basisTrust } from '../notes/basis-trust.ts';
import type { Target } from '../targets/target.ts';
import { knowledgeTargets } from '../targets/target.ts';

/** Targets in which each note stays a note, so that a folder can stay together. */
const together: readonly Target[] = [...knowledgeTargets, 'NOTE'];
/** A folder of fewer notes has no habit. */
const notesMin = 5;
const share = 0.8;
/** Words that name a list are weak evidence, but only a large folder of one kind outweighs them. */
const wordsNotesMin = 20;
const wordsShare = 0.95;

/**
 * Proposes the target of most notes of a folder for the notes whose own evidence is weak: a folder of one kind is not
 * spread over several places. Proposals that a decision of the user has changed stay.
 */
export function followFolders(database: DatabaseSync): void {
  const rows = database
    .prepare(
      `with note as (
         select chunk.id, chunk.basis, chunk.state, chunk.chosen, file.root as root, coalesce(chosen, proposed) as target,
             rtrim(file.name, replace(file.name, '/', '')) as folder
           from chunk join file_chunk on file_chunk.chunk = chunk.id
             join source_file as file on file.id = file_chunk.file
           where chunk.part = 'note' and chunk.replaces is null),
       size as (select root, folder, count(*) as notes from note where folder <> '' group by root, folder),
       most as (select root, folder, target, count(*) as count from note where folder <> '' group by root, folder, target)
       select note.id, note.folder, most.target, most.count, size.notes
         from note join size using (root, folder) join most using (root, folder)
         where note.state = 'scanned' and note.chosen is null and most.target <> note.target
           and ((note.basis = 'text' and size.notes >= ${notesMin} and most.count >= size.notes * ${share})
             or (note.basis = 'words' and size.notes >= ${wordsNotesMin} and most.count >= size.notes * ${wordsShare}))
           and not exists (select 1 from scanned_proposal where scanned_proposal.chunk = note.id)`,
    )
    .all();
  const update = database.prepare(
    `update chunk set proposed = ?1, confidence = ?2, reasons = ?3, basis = 'folder',
         alternatives = json_insert(alternatives, '$[#]', json_object('target', proposed, 'confidence', 1 - ?2))
       where id = ?4`,
  );
  for (const { id, folder, target, count, notes } of rows) {
    if (!together.some((one) => one === target)) continue;
    const reason = `${count as number} of ${notes as number} notes in ${String(folder)} go to ${String(target)}`;
    update.run(String(target), basisTrust.folder, JSON.stringify([reason]), String(id));
  }
}
