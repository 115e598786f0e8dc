import type { FastifyRequest } from 'fastify';

import type { Database } from '../foundation/database/database.ts';
import type { Surface } from '../foundation/http/surface.ts';
import type { CursorKeys } from '../foundation/pagination/cursor-keys.ts';
import { credentials } from '../identity/index.ts';
import type { AuthorizeDeps } from './callers/authorize-organization.ts';
import type { ChangeDeps, ChangeRequest } from './changes/change-organization.ts';
import { callerOf } from './credentials/caller.ts';

export interface ReadDeps extends AuthorizeDeps {
  readonly database: Database;
  readonly cursorKeys: CursorKeys;
}

export interface PlatformRoutesDeps extends ReadDeps, ChangeDeps {
  readonly surface: Surface;
}

export function changeRequestOf(request: FastifyRequest, platformKey: string): ChangeRequest {
  return { caller: callerOf(request), platformKey, client: credentials.clientOf(request) };
}
