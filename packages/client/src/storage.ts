import type { StorageOperations } from './generated/storage-api.ts';
import { storageOperations } from './generated/storage-api.ts';
import type { SignedInClient, SignedInOptions } from './signed-in/signed-in-client.ts';
import { createSignedInClient } from './signed-in/signed-in-client.ts';

export type * from './generated/storage-api.ts';
export type {
  Credential,
  SignedInAnswer,
  SignedInCall,
  SignedInOptions,
} from './signed-in/signed-in-client.ts';
export { RequestRefused } from './signed-in/signed-in-client.ts';
export type { UploadOptions, UploadProgress } from './signed-in/upload.ts';
export { uploadFile } from './signed-in/upload.ts';

export type StorageClient = SignedInClient<StorageOperations>;

/** One function for each operation of the storage API; `uploadFile` sends large files in resumable parts. */
export function createStorageClient(options: SignedInOptions): StorageClient {
  return createSignedInClient<StorageOperations>(storageOperations, options);
}
