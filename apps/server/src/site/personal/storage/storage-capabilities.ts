import { permissions } from '../../../access/index.ts';
import { projectActions } from '../../../storage/index.ts';

const actionOn = (resource: 'Folders' | 'Files', verb: string): permissions.Action =>
  permissions.defineAction(`Daybook.Storage/${resource}/${verb}`);

const inProjects = (
  on: permissions.Capability['on'],
  action: permissions.Action,
  words: string,
  inside?: string,
): permissions.Capability => ({
  action,
  kind: ['projects'],
  on,
  words,
  ...(inside !== undefined && { inside }),
});

/** What the permissions of storage come to, in words. */
export const storageCapabilities: readonly permissions.Capability[] = [
  inProjects('collection', projectActions.read, 'see the page of projects and how much is stored'),
  inProjects('things', projectActions.read, 'open projects'),
  inProjects('collection', projectActions.create, 'create projects'),
  inProjects('things', projectActions.update, 'rename projects'),
  inProjects('things', projectActions.delete, 'delete projects'),
  inProjects('things', actionOn('Folders', 'read'), 'open folders', 'folders'),
  inProjects('collection', actionOn('Folders', 'create'), 'create folders', 'folders'),
  inProjects('things', actionOn('Folders', 'update'), 'rename and move folders', 'folders'),
  inProjects('things', actionOn('Folders', 'delete'), 'delete folders', 'folders'),
  inProjects('things', actionOn('Files', 'read'), 'read files', 'files'),
  inProjects('collection', actionOn('Files', 'create'), 'upload files', 'files'),
  inProjects('things', actionOn('Files', 'update'), 'replace, rename and move files', 'files'),
  inProjects('things', actionOn('Files', 'delete'), 'delete files', 'files'),
];

const reading = [projectActions.read, actionOn('Folders', 'read'), actionOn('Files', 'read')];
const uploading = [actionOn('Folders', 'create'), actionOn('Files', 'create'), actionOn('Files', 'update')];
const textsOf = (actions: readonly permissions.Action[]): readonly string[] =>
  actions.map(({ text }) => text);

export const storagePresets: readonly permissions.PermissionPreset[] = [
  {
    id: 'read-projects',
    label: 'Read files: open projects and folders, download files',
    actions: textsOf(reading),
    kinds: ['projects'],
    isDeep: true,
  },
  {
    id: 'upload-files',
    label: 'Upload files: read them, and store new ones, new versions and folders for them',
    actions: textsOf([...reading, ...uploading]),
    kinds: ['projects'],
    isDeep: true,
  },
];
