import type { StorageRequest } from '../../../storage/index.ts';
import { folders } from '../../../storage/index.ts';
import { say } from '../../shell/words/say.ts';
import type { DataTable } from '../components/data-table.ts';
import { platformPath } from '../platform/platform-frame.ts';
import type { StorageTools } from './storage-frame.ts';

/** The check boxes of a list of entries, with the actions that the visitor may take on some of them. */
export async function selectionOf(
  { files }: StorageTools,
  asked: StorageRequest & { readonly projectId: string },
  org: string,
  { mayCreate }: folders.EntryView,
  entries: readonly folders.Entry[],
): Promise<Pick<DataTable<folders.Entry>, 'selection'>> {
  const changed = await folders.entriesAllowing(files, asked, entries, 'update');
  const deleted = await folders.entriesAllowing(files, asked, entries, 'delete');
  const address = (action: string): string =>
    platformPath(org, 'projects', asked.projectId, 'selection', action);
  const buttons = [
    ...(changed.size > 0 ? [{ label: say('Move selected'), action: address('move') }] : []),
    ...(mayCreate('file') ? [{ label: say('Copy selected'), action: address('copy') }] : []),
    ...(deleted.size > 0
      ? [{ label: say('Delete selected'), action: address('delete'), isDangerous: true }]
      : []),
  ];
  if (entries.length === 0 || buttons.length === 0) return {};
  return { selection: { name: 'entries', valueOf: ({ kind, id }) => `${kind}/${id}`, buttons } };
}
