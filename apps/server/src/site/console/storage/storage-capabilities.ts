import type { capabilities, permissions } from '../../../access/index.ts';
import { storageActions } from '../../../storage/index.ts';

const { projectActions, quotaActions, shareActions, trashActions, uploadActions, versionActions } =
  storageActions;
const { folder: folderActions, file: fileActions } = storageActions.entryActions;

const inProjects = (
  on: capabilities.Capability['on'],
  action: permissions.Action,
  words: string,
  inside?: string,
): capabilities.Capability => ({
  action,
  kind: ['projects'],
  on,
  words,
  ...(inside !== undefined && { inside }),
});

/** The permissions of storage in words. */
export const storageCapabilities: readonly capabilities.Capability[] = [
  inProjects('collection', projectActions.read, 'list projects and see storage usage'),
  inProjects('things', projectActions.read, 'open projects'),
  inProjects('collection', projectActions.create, 'create projects'),
  inProjects('things', projectActions.update, 'rename projects'),
  inProjects('things', projectActions.delete, 'delete projects'),
  inProjects('things', projectActions.purge, 'permanently delete projects'),
  inProjects('things', trashActions.purge, 'empty the trash of projects'),
  inProjects('things', uploadActions.purge, 'discard unfinished uploads of other people'),
  inProjects('things', quotaActions.set, 'set the storage quota of projects'),
  inProjects('collection', quotaActions.set, 'set the storage quota of people'),
  inProjects('things', folderActions.read, 'open folders', 'folders'),
  inProjects('collection', folderActions.create, 'create folders', 'folders'),
  inProjects('things', folderActions.update, 'rename and move folders', 'folders'),
  inProjects('things', folderActions.delete, 'delete folders', 'folders'),
  inProjects('things', folderActions.purge, 'permanently delete folders', 'folders'),
  inProjects('things', fileActions.read, 'read files', 'files'),
  inProjects('collection', fileActions.create, 'upload files', 'files'),
  inProjects('things', fileActions.update, 'replace, rename and move files', 'files'),
  inProjects('things', fileActions.delete, 'delete files', 'files'),
  inProjects('things', fileActions.purge, 'permanently delete files', 'files'),
  inProjects('things', versionActions.read, 'read earlier versions of files', 'files'),
  inProjects('things', versionActions.purge, 'permanently delete earlier versions of files', 'files'),
  inProjects('things', shareActions.read, 'see shares and links', 'files'),
  inProjects('things', shareActions.create, 'share files and folders, create links', 'files'),
  inProjects('things', shareActions.delete, 'end shares and revoke links', 'files'),
];

const reading = [projectActions.read, folderActions.read, fileActions.read, versionActions.read];
const uploading = [folderActions.create, fileActions.create, fileActions.update];
const textsOf = (actions: readonly permissions.Action[]): readonly string[] =>
  actions.map(({ text }) => text);

export const storagePresets: readonly capabilities.PermissionPreset[] = [
  {
    id: 'read-projects',
    label: 'Read files: open projects and folders, download files',
    actions: textsOf(reading),
    kinds: ['projects'],
    isDeep: true,
  },
  {
    id: 'upload-files',
    label: 'Upload files: read files, upload files and versions, create folders',
    actions: textsOf([...reading, ...uploading]),
    kinds: ['projects'],
    isDeep: true,
  },
];
