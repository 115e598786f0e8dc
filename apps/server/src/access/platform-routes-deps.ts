import type { Database } from '../foundation/database/database.ts';
import type { Surface } from '../foundation/http/surface.ts';
import type { CursorKeys } from '../foundation/pagination/cursor-keys.ts';
import type { AuthorizeDeps } from './callers/authorize-organization.ts';
import type { ChangeDeps } from './changes/change-organization.ts';

export interface ReadDeps extends AuthorizeDeps {
  readonly database: Database;
  readonly cursorKeys: CursorKeys;
}

export interface PlatformRoutesDeps extends ReadDeps, ChangeDeps {
  readonly surface: Surface;
}
