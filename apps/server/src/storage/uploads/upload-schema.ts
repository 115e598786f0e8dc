import type { Static } from 'typebox';
import { Type } from 'typebox';

import { titledObject } from '../../foundation/closed-object.ts';
import { isoMicroseconds } from '../../foundation/instant.ts';
import { fileBytesMax } from '../storage-deps.ts';
import type { NewUpload } from './reserve-upload.ts';
import type { OpenUpload } from './upload-store.ts';
import type { Upload } from './upload.ts';

const mediaTypePattern = '^[A-Za-z0-9!#$&^_.+-]{1,100}/[A-Za-z0-9!#$&^_.+-]{1,100}$';

const mediaType = new RegExp(mediaTypePattern);

export function isMediaType(text: string): boolean {
  return mediaType.test(text);
}

/** The target of content; in a body, or in a query if the body is the content. */
export const placeProperties = {
  name: Type.String({ minLength: 1, maxLength: 1_000, description: 'In NFC; 1 to 255 bytes.' }),
  folderId: Type.Optional(
    Type.String({ format: 'uuid', maxLength: 64, description: 'Omit for the top level of the project.' }),
  ),
  ifTaken: Type.Optional(
    Type.Enum(['refuse', 'version', 'rename'], {
      default: 'refuse',
      description:
        'If the name is taken: return 409, add a version to the existing file, or add a number to the name.',
    }),
  ),
  sha256: Type.Optional(
    Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256 that the content must have.' }),
  ),
};

export const mediaTypeProperty = Type.Optional(
  Type.String({
    pattern: mediaTypePattern,
    examples: ['application/pdf'],
    description: 'Default: `application/octet-stream`.',
  }),
);

export const NewUploadSchema = titledObject('NewUpload', {
  projectId: Type.String({ format: 'uuid', maxLength: 64 }),
  ...placeProperties,
  size: Type.Integer({ minimum: 0, maximum: fileBytesMax, description: 'In bytes.' }),
  mediaType: mediaTypeProperty,
  ifMatch: Type.Optional(
    Type.String({ maxLength: 100, description: 'The expected entity tag of the file; 412 if it differs.' }),
  ),
});

export type UploadFields = Static<typeof NewUploadSchema>;
const defaultMediaType = 'application/octet-stream';

export function newUploadOf(fields: UploadFields): NewUpload {
  return {
    projectId: fields.projectId,
    folderId: fields.folderId ?? null,
    name: fields.name,
    size: fields.size,
    mediaType: fields.mediaType ?? defaultMediaType,
    sha256: fields.sha256 ?? null,
    ifTaken: fields.ifTaken ?? 'refuse',
    ifMatch: fields.ifMatch ?? null,
  };
}

export const UploadSchema = titledObject('Upload', {
  id: Type.String({ format: 'uuid' }),
  projectId: Type.String({ format: 'uuid' }),
  folderId: Type.Union([Type.String({ format: 'uuid' }), Type.Null()]),
  name: Type.String(),
  size: Type.Integer({ minimum: 0 }),
  mediaType: Type.String(),
  state: Type.Enum(['open', 'completing', 'completed', 'abandoned']),
  fileId: Type.Union([Type.String({ format: 'uuid' }), Type.Null()], {
    description: 'The file, after completion.',
  }),
  createdAt: Type.String({ format: 'date-time' }),
  expiresAt: Type.String({ format: 'date-time', description: 'Time when the upload expires.' }),
});

export function presentUpload(upload: Upload) {
  const { id, projectId, folderId, name, size, mediaType, state, fileId } = upload;
  return {
    id,
    projectId,
    folderId,
    name,
    size,
    mediaType,
    state,
    fileId,
    createdAt: isoMicroseconds(upload.createdAt),
    expiresAt: isoMicroseconds(upload.expiresAt),
  };
}

export const OpenUploadSchema = titledObject('OpenUpload', {
  ...UploadSchema.properties,
  createdBy: Type.String({ description: 'A username.' }),
});

export function presentOpenUpload(upload: OpenUpload) {
  return { ...presentUpload(upload), createdBy: upload.sender };
}
