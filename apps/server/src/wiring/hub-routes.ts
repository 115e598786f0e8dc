import type { Config } from '../config/config.ts';
import type { CalendarClock } from '../foundation/clock.ts';
import type { Database } from '../foundation/database/database.ts';
import { isLoopbackHost } from '../foundation/http/loopback-host.ts';
import type { RouteDeclaration } from '../foundation/http/route.ts';
import { createSecretBox } from '../foundation/secret-box.ts';
import type { IngestDeps } from '../ingest/index.ts';
import { ingestRoutes } from '../ingest/index.ts';

/** The callback routes of WebSub hubs. */
export function openHubRoutes(
  config: Config,
  database: Database,
  clock: CalendarClock,
): readonly RouteDeclaration[] {
  return ingestRoutes({ database, clock, ...hubSettings(config) });
}

/**
 * `secretBox` is null without a key: then sources behind a password cannot be added or polled. `hubCallbackBase` is null
 * where no hub can reach this installation over https; simulated hubs reach it on this machine.
 */
export function hubSettings({
  news: { baseUrl },
  newsroom: { examplePort },
  identity: { secretKeys },
}: Config): Required<Pick<IngestDeps, 'secretBox' | 'hubCallbackBase'>> {
  const { protocol, hostname } = new URL(baseUrl);
  const isPublic = protocol === 'https:' && !isLoopbackHost(hostname);
  return {
    secretBox: secretKeys.length === 0 ? null : createSecretBox(secretKeys),
    hubCallbackBase: isPublic || examplePort !== null ? baseUrl : null,
  };
}
