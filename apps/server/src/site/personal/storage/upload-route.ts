import { Type } from 'typebox';

import { forbidden } from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import { ProblemError } from '../../../foundation/problem.ts';
import { tusRoutes } from '../../../storage/index.ts';
import { organizationParams } from '../platform/platform-frame.ts';
import { visitorOf } from '../visitor.ts';
import type { StorageTools } from './storage-frame.ts';
import { storageRequest } from './storage-frame.ts';

/** What the script of a folder's page speaks: the same protocol as programs, for whoever has signed in there. */
export function pageUploadRoutes(tools: StorageTools): readonly RouteDeclaration[] {
  return tusRoutes(tools.files, {
    path: '/platform/{org}/tus',
    params: Type.Object(organizationParams),
    surface: tools.forms,
    // Browsers do not say where a HEAD comes from where there is no HTTPS.
    readingSurface: tools.pages,
    suffix: 'OnPage',
    tag: 'pages',
    requestOf: async (request) => {
      const visitor = await visitorOf(tools.identity, request);
      if (visitor === null) throw new ProblemError(forbidden, 'Sign in, then upload the file again.');
      return storageRequest(visitor, request);
    },
  });
}
