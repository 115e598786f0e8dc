import { Type } from 'typebox';

import { forbidden } from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import { ProblemError } from '../../../foundation/problem.ts';
import { tusRoutes } from '../../../storage/index.ts';
import { say } from '../../shell/words/say.ts';
import { organizationParams } from '../platform/platform-frame.ts';
import { visitorOf } from '../visitor.ts';
import type { StorageTools } from './storage-frame.ts';
import { storageRequest } from './storage-frame.ts';

/** The upload endpoint for the script of a folder's page: the same protocol as for programs, with a session. */
export function pageUploadRoutes(tools: StorageTools): readonly RouteDeclaration[] {
  return tusRoutes(tools.files, {
    path: '/platform/{org}/tus',
    params: Type.Object(organizationParams),
    surface: tools.forms,
    // Without HTTPS, browsers send no origin with a HEAD request.
    readingSurface: tools.pages,
    suffix: 'OnPage',
    tag: 'pages',
    requestOf: async (request) => {
      const visitor = await visitorOf(tools.identity, request);
      if (visitor === null) throw new ProblemError(forbidden, say('Sign in, then upload the file again.'));
      return storageRequest(visitor, request);
    },
  });
}
