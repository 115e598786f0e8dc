import type { ListedFile } from '../queue/scan-deps.ts';
import type { FileStatus } from '../sources/source-kind.ts';
import type { Paint } from './terminal.ts';
import { plural, printable } from './terminal.ts';

/** These make a scan end with exit code 1. */
export const notRead: readonly FileStatus[] = ['unreadable', 'too large'];

/** What became of files, in the order of how much it matters. */
const accounts: readonly {
  readonly title: string;
  readonly statuses: readonly FileStatus[];
  readonly advice?: string;
}[] = [
  { title: 'Could not be read', statuses: notRead },
  {
    title: 'Not read: unclear encoding',
    statuses: ['encoding unclear'],
    advice: 'Scan in a terminal to choose the encoding, or set --encoding',
  },
  { title: 'Read with warnings', statuses: ['read'] },
  { title: 'Encrypted', statuses: ['encrypted'] },
  { title: 'Not part of a note', statuses: ['remainder'] },
  { title: 'Converted', statuses: ['converted'] },
  { title: 'No text', statuses: ['binary', 'blank'] },
  { title: 'Deleted', statuses: ['gone'] },
  {
    title: 'Other files',
    statuses: ['attachment', 'database'],
    advice: 'Not notes. Files that a note embeds or links to are copied with the note',
  },
  { title: 'Skipped', statuses: ['link', 'special file', 'set aside'] },
];
const shownMax = 8;

/** Every file that was not simply read, by name; long lists are cut, and `status --files` has them whole. */
export function accountLines(
  files: readonly ListedFile[],
  paint: Paint,
  most: number = shownMax,
): readonly string[] {
  return accounts.flatMap(({ title, statuses, advice }) => {
    const found = files.filter(({ status }) => statuses.includes(status));
    if (found.length === 0) return [];
    const lines = ['', paint('bold', `${title}: ${plural(found.length, 'file')}`)];
    for (const { name, status, detail } of found.slice(0, most)) {
      const words = detail !== '' ? detail : status;
      lines.push(`  ${printable(name)}${words === 'attachment' ? '' : `  (${printable(words)})`}`);
    }
    if (found.length > most) lines.push(`  and ${found.length - most} more: daybook-migrate status --files`);
    if (advice !== undefined) lines.push(`  ${advice}.`);
    return lines;
  });
}
