/* Written by `npm run client:types` from docs/openapi-storage.json. */

export interface StorageOperations {
  listProjects: {
    params: {
      /**
       * `nextCursor` or `prevCursor` of an earlier page of the same list. Omit to start at the first page.
       */
      cursor?: string;
      /**
       * Records per page; values above 100 count as 100.
       */
      limit?: number;
      /**
       * Toward older (`forward`) or newer (`backward`) records. Records are always sorted newest first. `backward` without a cursor starts at the oldest record.
       */
      direction?: 'forward' | 'backward';
      /**
       * Page number from 1 to 100, without a cursor. New records shift pages; prefer cursors.
       */
      page?: number;
      /**
       * Newest first, or by name from A to Z, not case-sensitive. A cursor is valid only for the order it was returned with.
       */
      sort?: 'createdAt' | 'name';
      /**
       * The key of one of your organizations. Default: the first organization that you joined. Specify it if you belong to several.
       */
      organization?: string;
    };
    data: Projects;
  };
  createProject: {
    params: {};
    body: NewProject;
    data: Project;
  };
  listDeletedProjects: {
    params: {
      /**
       * `nextCursor` or `prevCursor` of an earlier page of the same list. Omit to start at the first page.
       */
      cursor?: string;
      /**
       * Records per page; values above 100 count as 100.
       */
      limit?: number;
      /**
       * Toward older (`forward`) or newer (`backward`) records. Records are always sorted newest first. `backward` without a cursor starts at the oldest record.
       */
      direction?: 'forward' | 'backward';
      /**
       * Page number from 1 to 100, without a cursor. New records shift pages; prefer cursors.
       */
      page?: number;
      /**
       * The key of one of your organizations. Default: the first organization that you joined. Specify it if you belong to several.
       */
      organization?: string;
    };
    data: DeletedProjects;
  };
  readProject: {
    params: {
      project: string;
    };
    data: Project;
  };
  renameProject: {
    params: {
      project: string;
    };
    body: ProjectChange;
    data: Project;
  };
  deleteProject: {
    params: {
      project: string;
    };
    data: null;
  };
  restoreProject: {
    params: {
      project: string;
    };
    data: Project;
  };
  listChildren: {
    params: {
      project: string;
      /**
       * `nextCursor` or `prevCursor` of an earlier page of the same list. Omit to start at the first page.
       */
      cursor?: string;
      /**
       * Records per page; values above 100 count as 100.
       */
      limit?: number;
      /**
       * Toward older (`forward`) or newer (`backward`) records. Records are always sorted newest first. `backward` without a cursor starts at the oldest record.
       */
      direction?: 'forward' | 'backward';
      /**
       * Page number from 1 to 100, without a cursor. New records shift pages; prefer cursors.
       */
      page?: number;
      /**
       * Newest first, or by name from A to Z, not case-sensitive. A cursor is valid only for the order it was returned with.
       */
      sort?: 'createdAt' | 'name';
      /**
       * Omit to list the top level of the project.
       */
      folderId?: string;
      /**
       * @deprecated
       * Use `folderId`.
       */
      folder?: string;
    };
    data: Entries;
  };
  searchByName: {
    params: {
      project: string;
      /**
       * `nextCursor` or `prevCursor` of an earlier page of the same list. Omit to start at the first page.
       */
      cursor?: string;
      /**
       * Records per page; values above 100 count as 100.
       */
      limit?: number;
      /**
       * Toward older (`forward`) or newer (`backward`) records. Records are always sorted newest first. `backward` without a cursor starts at the oldest record.
       */
      direction?: 'forward' | 'backward';
      /**
       * Page number from 1 to 100, without a cursor. New records shift pages; prefer cursors.
       */
      page?: number;
      /**
       * Newest first, or by name from A to Z, not case-sensitive. A cursor is valid only for the order it was returned with.
       */
      sort?: 'createdAt' | 'name';
      /**
       * One or more parts of a name, separated by spaces. All must occur. Not case-sensitive.
       */
      name: string;
      /**
       * Default: the whole project.
       */
      folderId?: string;
      /**
       * @deprecated
       * Use `folderId`.
       */
      folder?: string;
    };
    data: Entries;
  };
  createFolder: {
    params: {
      project: string;
    };
    body: NewFolder;
    data: Folder;
  };
  readFolder: {
    params: {
      id: string;
    };
    data: Folder;
  };
  changeFolder: {
    params: {
      id: string;
    };
    body: EntryChange;
    data: Folder;
  };
  deleteFolder: {
    params: {
      id: string;
    };
    data: null;
  };
  readFile: {
    params: {
      id: string;
    };
    data: File;
  };
  changeFile: {
    params: {
      id: string;
    };
    body: EntryChange;
    data: File;
  };
  deleteFile: {
    params: {
      id: string;
    };
    data: null;
  };
  listTrash: {
    params: {
      project: string;
      /**
       * `nextCursor` or `prevCursor` of an earlier page of the same list. Omit to start at the first page.
       */
      cursor?: string;
      /**
       * Records per page; values above 100 count as 100.
       */
      limit?: number;
      /**
       * Toward older (`forward`) or newer (`backward`) records. Records are always sorted newest first. `backward` without a cursor starts at the oldest record.
       */
      direction?: 'forward' | 'backward';
      /**
       * Page number from 1 to 100, without a cursor. New records shift pages; prefer cursors.
       */
      page?: number;
    };
    data: Trash;
  };
  emptyTrash: {
    params: {
      project: string;
    };
    data: null;
  };
  restoreFolder: {
    params: {
      id: string;
    };
    body: Restore;
    data: Folder;
  };
  purgeFolder: {
    params: {
      id: string;
    };
    data: null;
  };
  restoreFile: {
    params: {
      id: string;
    };
    body: Restore;
    data: File;
  };
  purgeFile: {
    params: {
      id: string;
    };
    data: null;
  };
  purgeProject: {
    params: {
      project: string;
    };
    data: null;
  };
  readContent: {
    params: {
      id: string;
      /**
       * Default: the current version.
       */
      version?: number;
    };
    data: Response;
  };
  createContentAddress: {
    params: {
      id: string;
    };
    body: ContentAddressRequest;
    data: ContentAddress;
  };
  listVersions: {
    params: {
      id: string;
      /**
       * `nextCursor` or `prevCursor` of an earlier page of the same list. Omit to start at the first page.
       */
      cursor?: string;
      /**
       * Records per page; values above 100 count as 100.
       */
      limit?: number;
      /**
       * Toward older (`forward`) or newer (`backward`) records. Records are always sorted newest first. `backward` without a cursor starts at the oldest record.
       */
      direction?: 'forward' | 'backward';
      /**
       * Page number from 1 to 100, without a cursor. New records shift pages; prefer cursors.
       */
      page?: number;
    };
    data: Versions;
  };
  restoreVersion: {
    params: {
      id: string;
      version: number;
    };
    data: File;
  };
  deleteVersion: {
    params: {
      id: string;
      version: number;
    };
    data: null;
  };
  readUsage: {
    params: {
      /**
       * The key of one of your organizations. Default: the first organization that you joined. Specify it if you belong to several.
       */
      organization?: string;
    };
    data: Usage;
  };
  searchTexts: {
    params: {
      /**
       * `nextCursor` or `prevCursor` of an earlier page of the same list. Omit to start at the first page.
       */
      cursor?: string;
      /**
       * Records per page; values above 100 count as 100.
       */
      limit?: number;
      /**
       * Toward older (`forward`) or newer (`backward`) records. Records are always sorted newest first. `backward` without a cursor starts at the oldest record.
       */
      direction?: 'forward' | 'backward';
      /**
       * Page number from 1 to 100, without a cursor. New records shift pages; prefer cursors.
       */
      page?: number;
      /**
       * The key of one of your organizations. Default: the first organization that you joined. Specify it if you belong to several.
       */
      organization?: string;
      /**
       * Words or parts of words, separated by spaces. All must occur. Not case-sensitive.
       */
      q: string;
      /**
       * Default: all projects.
       */
      projectId?: string;
      /**
       * A folder of the project, with everything below it.
       */
      folderId?: string;
    };
    data: FoundFiles;
  };
  readText: {
    params: {
      id: string;
    };
    data: FileText;
  };
  readPicture: {
    params: {
      id: string;
    };
    data: Response;
  };
  copyFile: {
    params: {
      id: string;
    };
    body: FileCopy;
    data: File;
  };
  copyFolder: {
    params: {
      id: string;
    };
    body: FolderCopy;
    data: CopiedFolder;
  };
  moveFile: {
    params: {
      id: string;
    };
    body: FileMove;
    data: File;
  };
  moveFolder: {
    params: {
      id: string;
    };
    body: FolderMove;
    data: Folder;
  };
  readProjectUsage: {
    params: {
      project: string;
    };
    data: ProjectUsage;
  };
  setProjectQuota: {
    params: {
      project: string;
    };
    body: QuotaChange;
    data: ProjectUsage;
  };
  listPeopleUsage: {
    params: {
      /**
       * `nextCursor` or `prevCursor` of an earlier page of the same list. Omit to start at the first page.
       */
      cursor?: string;
      /**
       * Records per page; values above 100 count as 100.
       */
      limit?: number;
      /**
       * Toward older (`forward`) or newer (`backward`) records. Records are always sorted newest first. `backward` without a cursor starts at the oldest record.
       */
      direction?: 'forward' | 'backward';
      /**
       * Page number from 1 to 100, without a cursor. New records shift pages; prefer cursors.
       */
      page?: number;
      /**
       * The key of one of your organizations. Default: the first organization that you joined. Specify it if you belong to several.
       */
      organization?: string;
    };
    data: PeopleUsage;
  };
  setPersonQuota: {
    params: {
      username: string;
      /**
       * The key of one of your organizations. Default: the first organization that you joined. Specify it if you belong to several.
       */
      organization?: string;
    };
    body: QuotaChange;
    data: PersonUsage;
  };
  archiveFolder: {
    params: {
      id: string;
    };
    data: Response;
  };
  archiveProject: {
    params: {
      project: string;
    };
    data: Response;
  };
  createTusUpload: {
    params: {};
    body: NonNullable<RequestInit['body']>;
    data: null;
  };
  appendToTusUpload: {
    params: {
      upload: string;
    };
    body: NonNullable<RequestInit['body']>;
    data: null;
  };
  endTusUpload: {
    params: {
      upload: string;
    };
    data: null;
  };
  createUpload: {
    params: {};
    body: NewUpload;
    data: Upload;
  };
  readUpload: {
    params: {
      upload: string;
    };
    data: Upload;
  };
  abandonUpload: {
    params: {
      upload: string;
    };
    data: null;
  };
  listOpenUploads: {
    params: {
      project: string;
      /**
       * `nextCursor` or `prevCursor` of an earlier page of the same list. Omit to start at the first page.
       */
      cursor?: string;
      /**
       * Records per page; values above 100 count as 100.
       */
      limit?: number;
      /**
       * Toward older (`forward`) or newer (`backward`) records. Records are always sorted newest first. `backward` without a cursor starts at the oldest record.
       */
      direction?: 'forward' | 'backward';
      /**
       * Page number from 1 to 100, without a cursor. New records shift pages; prefer cursors.
       */
      page?: number;
    };
    data: OpenUploads;
  };
  sendContent: {
    params: {
      upload: string;
    };
    body: NonNullable<RequestInit['body']>;
    data: File;
  };
  storeFile: {
    params: {
      project: string;
      /**
       * In NFC; 1 to 255 bytes.
       */
      name: string;
      /**
       * Omit for the top level of the project.
       */
      folderId?: string;
      /**
       * If the name is taken: return 409, add a version to the existing file, or add a number to the name.
       */
      ifTaken?: 'refuse' | 'version' | 'rename';
      /**
       * SHA-256 that the content must have.
       */
      sha256?: string;
      /**
       * Default: `application/octet-stream`.
       */
      mediaType?: string;
    };
    body: NonNullable<RequestInit['body']>;
    data: File;
  };
  signParts: {
    params: {
      upload: string;
    };
    body: PartsToSign;
    data: SignedParts;
  };
  listParts: {
    params: {
      upload: string;
    };
    data: UploadParts;
  };
  completeUpload: {
    params: {
      upload: string;
    };
    data: Upload;
  };
  shareProject: {
    params: {
      project: string;
    };
    body: NewShare;
    data: Share;
  };
  listProjectShares: {
    params: {
      project: string;
      /**
       * `nextCursor` or `prevCursor` of an earlier page of the same list. Omit to start at the first page.
       */
      cursor?: string;
      /**
       * Records per page; values above 100 count as 100.
       */
      limit?: number;
      /**
       * Toward older (`forward`) or newer (`backward`) records. Records are always sorted newest first. `backward` without a cursor starts at the oldest record.
       */
      direction?: 'forward' | 'backward';
      /**
       * Page number from 1 to 100, without a cursor. New records shift pages; prefer cursors.
       */
      page?: number;
    };
    data: Shares;
  };
  shareFolder: {
    params: {
      id: string;
    };
    body: NewShare;
    data: Share;
  };
  listFolderShares: {
    params: {
      id: string;
      /**
       * `nextCursor` or `prevCursor` of an earlier page of the same list. Omit to start at the first page.
       */
      cursor?: string;
      /**
       * Records per page; values above 100 count as 100.
       */
      limit?: number;
      /**
       * Toward older (`forward`) or newer (`backward`) records. Records are always sorted newest first. `backward` without a cursor starts at the oldest record.
       */
      direction?: 'forward' | 'backward';
      /**
       * Page number from 1 to 100, without a cursor. New records shift pages; prefer cursors.
       */
      page?: number;
    };
    data: Shares;
  };
  shareFile: {
    params: {
      id: string;
    };
    body: NewShare;
    data: Share;
  };
  listFileShares: {
    params: {
      id: string;
      /**
       * `nextCursor` or `prevCursor` of an earlier page of the same list. Omit to start at the first page.
       */
      cursor?: string;
      /**
       * Records per page; values above 100 count as 100.
       */
      limit?: number;
      /**
       * Toward older (`forward`) or newer (`backward`) records. Records are always sorted newest first. `backward` without a cursor starts at the oldest record.
       */
      direction?: 'forward' | 'backward';
      /**
       * Page number from 1 to 100, without a cursor. New records shift pages; prefer cursors.
       */
      page?: number;
    };
    data: Shares;
  };
  listOwnShares: {
    params: {
      /**
       * `nextCursor` or `prevCursor` of an earlier page of the same list. Omit to start at the first page.
       */
      cursor?: string;
      /**
       * Records per page; values above 100 count as 100.
       */
      limit?: number;
      /**
       * Toward older (`forward`) or newer (`backward`) records. Records are always sorted newest first. `backward` without a cursor starts at the oldest record.
       */
      direction?: 'forward' | 'backward';
      /**
       * Page number from 1 to 100, without a cursor. New records shift pages; prefer cursors.
       */
      page?: number;
      /**
       * The key of one of your organizations.
       */
      organization?: string;
    };
    data: Shares;
  };
  endShare: {
    params: {
      share: string;
    };
    data: null;
  };
  createFileLink: {
    params: {
      id: string;
    };
    body: NewLink;
    data: CreatedLink;
  };
  listFileLinks: {
    params: {
      id: string;
      /**
       * `nextCursor` or `prevCursor` of an earlier page of the same list. Omit to start at the first page.
       */
      cursor?: string;
      /**
       * Records per page; values above 100 count as 100.
       */
      limit?: number;
      /**
       * Toward older (`forward`) or newer (`backward`) records. Records are always sorted newest first. `backward` without a cursor starts at the oldest record.
       */
      direction?: 'forward' | 'backward';
      /**
       * Page number from 1 to 100, without a cursor. New records shift pages; prefer cursors.
       */
      page?: number;
    };
    data: Links;
  };
  createFolderLink: {
    params: {
      id: string;
    };
    body: NewLink;
    data: CreatedLink;
  };
  listFolderLinks: {
    params: {
      id: string;
      /**
       * `nextCursor` or `prevCursor` of an earlier page of the same list. Omit to start at the first page.
       */
      cursor?: string;
      /**
       * Records per page; values above 100 count as 100.
       */
      limit?: number;
      /**
       * Toward older (`forward`) or newer (`backward`) records. Records are always sorted newest first. `backward` without a cursor starts at the oldest record.
       */
      direction?: 'forward' | 'backward';
      /**
       * Page number from 1 to 100, without a cursor. New records shift pages; prefer cursors.
       */
      page?: number;
    };
    data: Links;
  };
  listProjectLinks: {
    params: {
      project: string;
      /**
       * `nextCursor` or `prevCursor` of an earlier page of the same list. Omit to start at the first page.
       */
      cursor?: string;
      /**
       * Records per page; values above 100 count as 100.
       */
      limit?: number;
      /**
       * Toward older (`forward`) or newer (`backward`) records. Records are always sorted newest first. `backward` without a cursor starts at the oldest record.
       */
      direction?: 'forward' | 'backward';
      /**
       * Page number from 1 to 100, without a cursor. New records shift pages; prefer cursors.
       */
      page?: number;
    };
    data: Links;
  };
  revokeLink: {
    params: {
      /**
       * The id of the link, not its secret.
       */
      link: string;
    };
    data: null;
  };
  describeSharedLink: {
    params: {
      secret: string;
      /**
       * From `POST /api/v1/shared/{secret}/ticket`, if the link has a password.
       */
      ticket?: string;
    };
    data: SharedLink;
  };
  enterLinkPassword: {
    params: {
      secret: string;
    };
    body: LinkPassword;
    data: LinkTicket;
  };
  readSharedFile: {
    params: {
      secret: string;
      /**
       * From `POST /api/v1/shared/{secret}/ticket`, if the link has a password.
       */
      ticket?: string;
    };
    data: Response;
  };
  readSharedFolder: {
    params: {
      secret: string;
      /**
       * From `POST /api/v1/shared/{secret}/ticket`, if the link has a password.
       */
      ticket?: string;
    };
    data: Response;
  };
  getStorageDescription: {
    params: {};
    data: {
      openapi: string;
    };
  };
}
export interface Projects {
  /**
   * Sorted by createdAt, newest first, or by name, depending on `sort`; then by id.
   */
  data: Project[];
  pagination: {
    /**
     * Whether more records follow in the requested direction.
     */
    hasMore: boolean;
    /**
     * Cursor for older records, with `direction=forward`; null only on an empty page.
     */
    nextCursor: string | null;
    /**
     * Cursor for newer records, with `direction=backward`; null only on an empty page.
     */
    prevCursor: string | null;
    /**
     * Total number of records, if available.
     */
    total?: number;
  };
}
export interface Project {
  id: string;
  /**
   * The key of the organization.
   */
  organization: string;
  workspaceId: string;
  name: string;
  createdAt: string;
  updatedAt: string;
}
export interface NewProject {
  /**
   * In NFC; 1 to 255 bytes.
   */
  name: string;
  /**
   * The key of one of your organizations. Default: the first organization that you joined. Specify it if you belong to several.
   */
  organization?: string;
  workspaceId?: string;
}
export interface DeletedProjects {
  /**
   * Newest first: by createdAt, then by id.
   */
  data: DeletedProject[];
  pagination: {
    /**
     * Whether more records follow in the requested direction.
     */
    hasMore: boolean;
    /**
     * Cursor for older records, with `direction=forward`; null only on an empty page.
     */
    nextCursor: string | null;
    /**
     * Cursor for newer records, with `direction=backward`; null only on an empty page.
     */
    prevCursor: string | null;
    /**
     * Total number of records, if available.
     */
    total?: number;
  };
}
export interface DeletedProject {
  id: string;
  /**
   * The key of the organization.
   */
  organization: string;
  workspaceId: string;
  name: string;
  createdAt: string;
  updatedAt: string;
  deletedAt: string;
}
export interface ProjectChange {
  /**
   * In NFC; 1 to 255 bytes.
   */
  name: string;
}
export interface Entries {
  /**
   * Sorted by createdAt, newest first, or by name, depending on `sort`; then by id.
   */
  data: Entry[];
  pagination: {
    /**
     * Whether more records follow in the requested direction.
     */
    hasMore: boolean;
    /**
     * Cursor for older records, with `direction=forward`; null only on an empty page.
     */
    nextCursor: string | null;
    /**
     * Cursor for newer records, with `direction=backward`; null only on an empty page.
     */
    prevCursor: string | null;
    /**
     * Total number of records, if available.
     */
    total?: number;
  };
}
export interface Entry {
  id: string;
  projectId: string;
  /**
   * The folder that contains it; null for the top level of the project.
   */
  folderId: string | null;
  /**
   * @deprecated
   * Equal to `folderId`.
   */
  parentId: string | null;
  name: string;
  createdAt: string;
  updatedAt: string;
  /**
   * Time of deletion.
   */
  deletedAt?: string;
  kind: 'folder' | 'file';
  version?: number;
  size?: number;
  mediaType?: string;
  /**
   * Media type detected from the content; null until it is inspected.
   */
  detectedMediaType?: string | null;
  /**
   * `waiting`: only the uploader can read it. `infected`: cannot be read. `unscannable`: the scanner could not read all of it; only the uploader can read it, unless the operator permits all readers. `unscanned`: stored without a scanner.
   */
  scanState?: 'unscanned' | 'waiting' | 'clean' | 'infected' | 'unscannable';
  /**
   * Null until it is computed, if the content was sent directly to the bucket, or with tus in several requests, without a declared hash.
   */
  sha256?: string | null;
  etag?: string;
}
export interface NewFolder {
  /**
   * In NFC; 1 to 255 bytes.
   */
  name: string;
  /**
   * The folder that contains it. Default: the top level of the project.
   */
  folderId?: string | null;
  /**
   * @deprecated
   * Use `folderId`.
   */
  parentId?: string | null;
}
export interface Folder {
  id: string;
  projectId: string;
  /**
   * The folder that contains it; null for the top level of the project.
   */
  folderId: string | null;
  /**
   * @deprecated
   * Equal to `folderId`.
   */
  parentId: string | null;
  name: string;
  createdAt: string;
  updatedAt: string;
  /**
   * Time of deletion.
   */
  deletedAt?: string;
  kind: 'folder';
}
export interface EntryChange {
  name?: string;
  /**
   * The folder to move it to; null for the top level of the project.
   */
  folderId?: string | null;
  /**
   * @deprecated
   * Use `folderId`.
   */
  parentId?: string | null;
}
export interface File {
  id: string;
  projectId: string;
  /**
   * The folder that contains it; null for the top level of the project.
   */
  folderId: string | null;
  /**
   * @deprecated
   * Equal to `folderId`.
   */
  parentId: string | null;
  name: string;
  createdAt: string;
  updatedAt: string;
  /**
   * Time of deletion.
   */
  deletedAt?: string;
  kind: 'file';
  version: number;
  size: number;
  /**
   * As declared by the uploader.
   */
  mediaType: string;
  /**
   * Null until it is computed, if the content was sent directly to the bucket, or with tus in several requests, without a declared hash.
   */
  sha256: string | null;
  /**
   * Media type detected from the content; null until it is inspected.
   */
  detectedMediaType: string | null;
  /**
   * `waiting`: only the uploader can read it. `infected`: cannot be read. `unscannable`: the scanner could not read all of it; only the uploader can read it, unless the operator permits all readers. `unscanned`: stored without a scanner.
   */
  scanState: 'unscanned' | 'waiting' | 'clean' | 'infected' | 'unscannable';
  /**
   * The entity tag of `GET …/content`, for `If-Match`.
   */
  etag: string;
}
export interface Trash {
  /**
   * Sorted by deletedAt, newest first; then by id.
   */
  data: Entry[];
  pagination: {
    /**
     * Whether more records follow in the requested direction.
     */
    hasMore: boolean;
    /**
     * Cursor for older records, with `direction=forward`; null only on an empty page.
     */
    nextCursor: string | null;
    /**
     * Cursor for newer records, with `direction=backward`; null only on an empty page.
     */
    prevCursor: string | null;
    /**
     * Total number of records, if available.
     */
    total?: number;
  };
}
export interface Restore {
  /**
   * Action if the name is taken.
   */
  ifTaken?: 'refuse' | 'rename';
}
export interface ContentAddressRequest {
  /**
   * Default: the current version.
   */
  version?: number;
}
export interface ContentAddress {
  url: string;
  expiresAt: string;
}
export interface Versions {
  /**
   * Newest first: by createdAt, then by id.
   */
  data: Version[];
  pagination: {
    /**
     * Whether more records follow in the requested direction.
     */
    hasMore: boolean;
    /**
     * Cursor for older records, with `direction=forward`; null only on an empty page.
     */
    nextCursor: string | null;
    /**
     * Cursor for newer records, with `direction=backward`; null only on an empty page.
     */
    prevCursor: string | null;
    /**
     * Total number of records, if available.
     */
    total?: number;
  };
}
export interface Version {
  id: string;
  version: number;
  size: number;
  mediaType: string;
  /**
   * Null until it is computed, if the content was sent directly to the bucket, or with tus in several requests, without a declared hash.
   */
  sha256: string | null;
  /**
   * Media type detected from the content; null until it is inspected.
   */
  detectedMediaType: string | null;
  /**
   * `waiting`: only the uploader can read it. `infected`: cannot be read. `unscannable`: the scanner could not read all of it; only the uploader can read it, unless the operator permits all readers. `unscanned`: stored without a scanner.
   */
  scanState: 'unscanned' | 'waiting' | 'clean' | 'infected' | 'unscannable';
  etag: string;
  createdAt: string;
}
export interface Usage {
  /**
   * Files, versions and trash.
   */
  usedBytes: number;
  /**
   * Open uploads.
   */
  reservedBytes: number;
  quotaBytes: number;
}
export interface FoundFiles {
  /**
   * Newest first: by createdAt, then by id.
   */
  data: FoundFile[];
  pagination: {
    /**
     * Whether more records follow in the requested direction.
     */
    hasMore: boolean;
    /**
     * Cursor for older records, with `direction=forward`; null only on an empty page.
     */
    nextCursor: string | null;
    /**
     * Cursor for newer records, with `direction=backward`; null only on an empty page.
     */
    prevCursor: string | null;
    /**
     * Total number of records, if available.
     */
    total?: number;
  };
}
export interface FoundFile {
  id: string;
  projectId: string;
  /**
   * The folder that contains it; null for the top level of the project.
   */
  folderId: string | null;
  /**
   * @deprecated
   * Equal to `folderId`.
   */
  parentId: string | null;
  name: string;
  createdAt: string;
  updatedAt: string;
  /**
   * Time of deletion.
   */
  deletedAt?: string;
  kind: 'file';
  version: number;
  size: number;
  /**
   * As declared by the uploader.
   */
  mediaType: string;
  /**
   * Null until it is computed, if the content was sent directly to the bucket, or with tus in several requests, without a declared hash.
   */
  sha256: string | null;
  /**
   * Media type detected from the content; null until it is inspected.
   */
  detectedMediaType: string | null;
  /**
   * `waiting`: only the uploader can read it. `infected`: cannot be read. `unscannable`: the scanner could not read all of it; only the uploader can read it, unless the operator permits all readers. `unscanned`: stored without a scanner.
   */
  scanState: 'unscanned' | 'waiting' | 'clean' | 'infected' | 'unscannable';
  /**
   * The entity tag of `GET …/content`, for `If-Match`.
   */
  etag: string;
  /**
   * Up to three shortened lines of the text that contain the words. Third-party text.
   */
  passages: string[];
}
export interface FileText {
  /**
   * `pending`: a worker has not read the file yet. `none`: the file has no readable text.
   */
  state: 'ready' | 'pending' | 'none';
  /**
   * Without layout; pages of a PDF are separated by a form feed. Third-party text.
   */
  text: string | null;
  /**
   * True if the file has more text than the 1 MB that is stored.
   */
  truncated: boolean;
}
export interface FileCopy {
  /**
   * Another project of the organization. Default: the same project.
   */
  projectId?: string;
  /**
   * The target folder; null for the top level of the project. Default: the same folder, or the top level of another project.
   */
  folderId?: string | null;
  /**
   * @deprecated
   * Use `folderId`.
   */
  parentId?: string | null;
  /**
   * Default: the same name.
   */
  name?: string;
  /**
   * Action if the name is taken.
   */
  ifTaken?: 'refuse' | 'rename';
}
export interface FolderCopy {
  /**
   * Another project of the organization. Default: the same project.
   */
  projectId?: string;
  /**
   * The target folder; null for the top level of the project. Default: the same folder, or the top level of another project.
   */
  folderId?: string | null;
  /**
   * @deprecated
   * Use `folderId`.
   */
  parentId?: string | null;
  /**
   * Default: the same name.
   */
  name?: string;
  /**
   * Action if the name is taken.
   */
  ifTaken?: 'refuse' | 'rename';
}
export interface CopiedFolder {
  id: string;
  projectId: string;
  /**
   * The folder that contains it; null for the top level of the project.
   */
  folderId: string | null;
  /**
   * @deprecated
   * Equal to `folderId`.
   */
  parentId: string | null;
  name: string;
  createdAt: string;
  updatedAt: string;
  /**
   * Time of deletion.
   */
  deletedAt?: string;
  kind: 'folder';
  /**
   * Folders and files that were copied.
   */
  copied: number;
  /**
   * Files that were omitted because they are not scanned yet, infected or not scannable.
   */
  omitted: number;
}
export interface FileMove {
  /**
   * Another project of the organization. Default: the same project.
   */
  projectId?: string;
  /**
   * The target folder; null for the top level of the project. Default: the same folder, or the top level of another project.
   */
  folderId?: string | null;
  /**
   * @deprecated
   * Use `folderId`.
   */
  parentId?: string | null;
  /**
   * Default: the same name.
   */
  name?: string;
  /**
   * Action if the name is taken.
   */
  ifTaken?: 'refuse' | 'rename';
}
export interface FolderMove {
  /**
   * Another project of the organization. Default: the same project.
   */
  projectId?: string;
  /**
   * The target folder; null for the top level of the project. Default: the same folder, or the top level of another project.
   */
  folderId?: string | null;
  /**
   * @deprecated
   * Use `folderId`.
   */
  parentId?: string | null;
  /**
   * Default: the same name.
   */
  name?: string;
  /**
   * Action if the name is taken.
   */
  ifTaken?: 'refuse' | 'rename';
}
export interface ProjectUsage {
  /**
   * Files, versions, trash and open uploads.
   */
  usedBytes: number;
  /**
   * Null: limited by the quota of the organization only.
   */
  quotaBytes: number | null;
}
export interface QuotaChange {
  quotaBytes: number | null;
}
export interface PeopleUsage {
  /**
   * Newest first: by createdAt, then by id.
   */
  data: PersonUsage[];
  pagination: {
    /**
     * Whether more records follow in the requested direction.
     */
    hasMore: boolean;
    /**
     * Cursor for older records, with `direction=forward`; null only on an empty page.
     */
    nextCursor: string | null;
    /**
     * Cursor for newer records, with `direction=backward`; null only on an empty page.
     */
    prevCursor: string | null;
    /**
     * Total number of records, if available.
     */
    total?: number;
  };
}
export interface PersonUsage {
  username: string;
  role: string;
  /**
   * Content that this person uploaded, and open uploads.
   */
  usedBytes: number;
  /**
   * Null: the default of the role.
   */
  quotaBytes: number | null;
}
export interface NewUpload {
  projectId: string;
  /**
   * In NFC; 1 to 255 bytes.
   */
  name: string;
  /**
   * Omit for the top level of the project.
   */
  folderId?: string;
  /**
   * If the name is taken: return 409, add a version to the existing file, or add a number to the name.
   */
  ifTaken?: 'refuse' | 'version' | 'rename';
  /**
   * SHA-256 that the content must have.
   */
  sha256?: string;
  /**
   * In bytes.
   */
  size: number;
  /**
   * Default: `application/octet-stream`.
   */
  mediaType?: string;
  /**
   * The expected entity tag of the file; 412 if it differs.
   */
  ifMatch?: string;
}
export interface Upload {
  id: string;
  projectId: string;
  folderId: string | null;
  name: string;
  size: number;
  mediaType: string;
  state: 'open' | 'completing' | 'completed' | 'abandoned';
  /**
   * The file, after completion.
   */
  fileId: string | null;
  createdAt: string;
  /**
   * Time when the upload expires.
   */
  expiresAt: string;
}
export interface OpenUploads {
  /**
   * Newest first: by createdAt, then by id.
   */
  data: OpenUpload[];
  pagination: {
    /**
     * Whether more records follow in the requested direction.
     */
    hasMore: boolean;
    /**
     * Cursor for older records, with `direction=forward`; null only on an empty page.
     */
    nextCursor: string | null;
    /**
     * Cursor for newer records, with `direction=backward`; null only on an empty page.
     */
    prevCursor: string | null;
    /**
     * Total number of records, if available.
     */
    total?: number;
  };
}
export interface OpenUpload {
  id: string;
  projectId: string;
  folderId: string | null;
  name: string;
  size: number;
  mediaType: string;
  state: 'open' | 'completing' | 'completed' | 'abandoned';
  /**
   * The file, after completion.
   */
  fileId: string | null;
  createdAt: string;
  /**
   * Time when the upload expires.
   */
  expiresAt: string;
  /**
   * A username.
   */
  createdBy: string;
}
export interface PartsToSign {
  /**
   * @minItems 1
   * @maxItems 100
   */
  parts: {
    number: number;
    /**
     * MD5 of the part, in base64; the bucket rejects other content.
     */
    md5?: string;
  }[];
}
export interface SignedParts {
  expiresAt: string;
  parts: SignedPart[];
}
export interface SignedPart {
  number: number;
  /**
   * In bytes.
   */
  size: number;
  url: string;
  headers: {
    /**
     * This interface was referenced by `undefined`'s JSON-Schema definition
     * via the `patternProperty` "^.*$".
     */
    [k: string]: string;
  };
}
export interface UploadParts {
  /**
   * Size of every part except the last.
   */
  partBytes: number;
  /**
   * @maxItems 320
   */
  parts: UploadPart[];
}
export interface UploadPart {
  number: number;
  /**
   * In bytes.
   */
  size: number;
  arrived: boolean;
}
export interface NewShare {
  /**
   * `write`: read, create, change and delete. `manage`: also share and create links.
   */
  level: 'read' | 'write' | 'manage';
  /**
   * Also share earlier versions of files.
   */
  history?: boolean;
  /**
   * A username.
   */
  member?: string;
  /**
   * The id of a group.
   */
  group?: number;
  /**
   * E-mail address of a non-member, who is invited as a guest if you can invite members. Access starts when they join, if you still have it.
   */
  email?: string;
}
export interface Share {
  id: string;
  kind: 'project' | 'folder' | 'file';
  projectId: string;
  /**
   * The folder or file; null for the project.
   */
  entryId: string | null;
  level: 'read' | 'write' | 'manage';
  /**
   * Whether earlier versions can be read.
   */
  history: boolean;
  /**
   * A username.
   */
  member?: string;
  group?: {
    id: number;
    name: string;
  };
  /**
   * E-mail address of an invited guest who has not joined yet.
   */
  email?: string;
  /**
   * A username.
   */
  createdBy: string;
  createdAt: string;
}
export interface Shares {
  /**
   * Newest first: by createdAt, then by id.
   */
  data: Share[];
  pagination: {
    /**
     * Whether more records follow in the requested direction.
     */
    hasMore: boolean;
    /**
     * Cursor for older records, with `direction=forward`; null only on an empty page.
     */
    nextCursor: string | null;
    /**
     * Cursor for newer records, with `direction=backward`; null only on an empty page.
     */
    prevCursor: string | null;
    /**
     * Total number of records, if available.
     */
    total?: number;
  };
}
export interface NewLink {
  /**
   * At most 90 days ahead. Default: in 7 days.
   */
  expiresAt?: string;
  /**
   * Required to open the link. It cannot be changed: revoke the link and create another.
   */
  password?: string;
}
export interface CreatedLink {
  id: string;
  projectId: string;
  /**
   * The file or folder.
   */
  entryId: string;
  kind: 'folder' | 'file';
  /**
   * Name of the file or folder.
   */
  name: string;
  /**
   * A username.
   */
  createdBy: string;
  createdAt: string;
  expiresAt: string;
  /**
   * Whether the link is protected by a password.
   */
  hasPassword: boolean;
  openedCount: number;
  lastOpenedAt: string | null;
  /**
   * URL of the content. Returned only once; only a hash of its secret is stored.
   */
  url: string;
  /**
   * URL of a page for people, with name, size and a button to download. Returned only once.
   */
  pageUrl: string;
}
export interface Links {
  /**
   * Newest first: by createdAt, then by id.
   */
  data: Link[];
  pagination: {
    /**
     * Whether more records follow in the requested direction.
     */
    hasMore: boolean;
    /**
     * Cursor for older records, with `direction=forward`; null only on an empty page.
     */
    nextCursor: string | null;
    /**
     * Cursor for newer records, with `direction=backward`; null only on an empty page.
     */
    prevCursor: string | null;
    /**
     * Total number of records, if available.
     */
    total?: number;
  };
}
export interface Link {
  id: string;
  projectId: string;
  /**
   * The file or folder.
   */
  entryId: string;
  kind: 'folder' | 'file';
  /**
   * Name of the file or folder.
   */
  name: string;
  /**
   * A username.
   */
  createdBy: string;
  createdAt: string;
  expiresAt: string;
  /**
   * Whether the link is protected by a password.
   */
  hasPassword: boolean;
  openedCount: number;
  lastOpenedAt: string | null;
}
export interface SharedLink {
  kind: 'folder' | 'file';
  name: string;
  /**
   * Bytes of the download; null if a folder is too large for an archive.
   */
  size: number | null;
  /**
   * Scan state of a file; null for a folder.
   */
  scanState: ('unscanned' | 'waiting' | 'clean' | 'infected' | 'unscannable') | null;
  /**
   * A username.
   */
  sharedBy: string;
  expiresAt: string;
  hasPassword: boolean;
}
export interface LinkPassword {
  password: string;
}
export interface LinkTicket {
  ticket: string;
  expiresAt: string;
}
/**
 * The body of every error response. Fields may be added.
 *
 * This interface was referenced by `StorageOperations`'s JSON-Schema
 * via the `definition` "Problem".
 */
export interface Problem {
  /**
   * URL of a page that explains the code.
   */
  type: string;
  /**
   * The same for every occurrence of the code.
   */
  title: string;
  status: number;
  /**
   * Explanation of this occurrence.
   */
  detail: string;
  /**
   * Stable error code. Use it to handle errors.
   */
  code: string;
  /**
   * Equal to X-Request-Id. Include it when you contact support.
   */
  requestId: string;
  /**
   * Seconds to wait, as in Retry-After.
   */
  retryAfter?: number;
  /**
   * Invalid parameters and fields.
   */
  errors?: {
    in: 'query' | 'path' | 'header' | 'body';
    name: string;
    message: string;
  }[];
}

export const storageOperations = {
  listProjects: 'GET /api/v1/projects',
  createProject: 'POST /api/v1/projects',
  listDeletedProjects: 'GET /api/v1/deleted-projects',
  readProject: 'GET /api/v1/projects/{project}',
  renameProject: 'PATCH /api/v1/projects/{project}',
  deleteProject: 'DELETE /api/v1/projects/{project}',
  restoreProject: 'POST /api/v1/projects/{project}/restore',
  listChildren: 'GET /api/v1/projects/{project}/children',
  searchByName: 'GET /api/v1/projects/{project}/search',
  createFolder: 'POST /api/v1/projects/{project}/folders',
  readFolder: 'GET /api/v1/folders/{id}',
  changeFolder: 'PATCH /api/v1/folders/{id}',
  deleteFolder: 'DELETE /api/v1/folders/{id}',
  readFile: 'GET /api/v1/files/{id}',
  changeFile: 'PATCH /api/v1/files/{id}',
  deleteFile: 'DELETE /api/v1/files/{id}',
  listTrash: 'GET /api/v1/projects/{project}/trash',
  emptyTrash: 'DELETE /api/v1/projects/{project}/trash',
  restoreFolder: 'POST /api/v1/folders/{id}/restore',
  purgeFolder: 'POST /api/v1/folders/{id}/purge',
  restoreFile: 'POST /api/v1/files/{id}/restore',
  purgeFile: 'POST /api/v1/files/{id}/purge',
  purgeProject: 'POST /api/v1/projects/{project}/purge',
  readContent: 'GET /api/v1/files/{id}/content content',
  createContentAddress: 'POST /api/v1/files/{id}/content-address',
  listVersions: 'GET /api/v1/files/{id}/versions',
  restoreVersion: 'POST /api/v1/files/{id}/versions/{version}/restore',
  deleteVersion: 'DELETE /api/v1/files/{id}/versions/{version}',
  readUsage: 'GET /api/v1/usage',
  searchTexts: 'GET /api/v1/search',
  readText: 'GET /api/v1/files/{id}/text',
  readPicture: 'GET /api/v1/files/{id}/picture content',
  copyFile: 'POST /api/v1/files/{id}/copy',
  copyFolder: 'POST /api/v1/folders/{id}/copy',
  moveFile: 'POST /api/v1/files/{id}/move',
  moveFolder: 'POST /api/v1/folders/{id}/move',
  readProjectUsage: 'GET /api/v1/projects/{project}/usage',
  setProjectQuota: 'PUT /api/v1/projects/{project}/quota',
  listPeopleUsage: 'GET /api/v1/usage/people',
  setPersonQuota: 'PUT /api/v1/usage/people/{username}',
  archiveFolder: 'GET /api/v1/folders/{id}/archive content',
  archiveProject: 'GET /api/v1/projects/{project}/archive content',
  createTusUpload: 'POST /api/v1/tus',
  appendToTusUpload: 'PATCH /api/v1/tus/{upload}',
  endTusUpload: 'DELETE /api/v1/tus/{upload}',
  createUpload: 'POST /api/v1/uploads',
  readUpload: 'GET /api/v1/uploads/{upload}',
  abandonUpload: 'DELETE /api/v1/uploads/{upload}',
  listOpenUploads: 'GET /api/v1/projects/{project}/uploads',
  sendContent: 'PUT /api/v1/uploads/{upload}/content',
  storeFile: 'POST /api/v1/projects/{project}/files',
  signParts: 'POST /api/v1/uploads/{upload}/parts',
  listParts: 'GET /api/v1/uploads/{upload}/parts',
  completeUpload: 'POST /api/v1/uploads/{upload}/complete',
  shareProject: 'POST /api/v1/projects/{project}/shares',
  listProjectShares: 'GET /api/v1/projects/{project}/shares',
  shareFolder: 'POST /api/v1/folders/{id}/shares',
  listFolderShares: 'GET /api/v1/folders/{id}/shares',
  shareFile: 'POST /api/v1/files/{id}/shares',
  listFileShares: 'GET /api/v1/files/{id}/shares',
  listOwnShares: 'GET /api/v1/shares',
  endShare: 'DELETE /api/v1/shares/{share}',
  createFileLink: 'POST /api/v1/files/{id}/links',
  listFileLinks: 'GET /api/v1/files/{id}/links',
  createFolderLink: 'POST /api/v1/folders/{id}/links',
  listFolderLinks: 'GET /api/v1/folders/{id}/links',
  listProjectLinks: 'GET /api/v1/projects/{project}/links',
  revokeLink: 'DELETE /api/v1/links/{link}',
  describeSharedLink: 'GET /api/v1/shared/{secret}',
  enterLinkPassword: 'POST /api/v1/shared/{secret}/ticket',
  readSharedFile: 'GET /api/v1/shared/{secret}/content content',
  readSharedFolder: 'GET /api/v1/shared/{secret}/archive content',
  getStorageDescription: 'GET /openapi-storage.json',
} as const satisfies Record<keyof StorageOperations, string>;
