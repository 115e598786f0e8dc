import { Type } from 'typebox';

import type { RequestHeaders } from '../foundation/http/route.ts';

const tags = Type.String({ maxLength: 1_000 });

/** The request headers of the API beside credentials and tus, as the description lists them. */
export const conditionHeaders = {
  'If-Match': {
    description:
      'Entity tags of the content, separated by commas, or `*` for any existing content; otherwise 412.',
    schema: tags,
  },
  'If-None-Match': {
    description:
      'On downloads: entity tags of your copies; 304 if one is current. On uploads: `*`; 412 if the name is taken.',
    schema: tags,
  },
  'If-Range': {
    description: 'The entity tag that the range belongs to; otherwise the whole content is sent.',
    schema: tags,
  },
  Range: { description: '`bytes=first-last`, one range.', schema: Type.String({ maxLength: 200 }) },
} satisfies RequestHeaders;

const {
  'If-Match': ifMatch,
  'If-None-Match': ifNoneMatch,
  'If-Range': ifRange,
  Range: range,
} = conditionHeaders;

export const changeHeaders: RequestHeaders = { 'If-Match': ifMatch };
export const storingHeaders: RequestHeaders = { 'If-Match': ifMatch, 'If-None-Match': ifNoneMatch };
export const downloadHeaders: RequestHeaders = {
  'If-None-Match': ifNoneMatch,
  'If-Range': ifRange,
  Range: range,
};
