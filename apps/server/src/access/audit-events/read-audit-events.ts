import type { AuditEventId, AuditFilter, AuditRecord } from '../../audit/index.ts';
import {
  countOrganizationEvents,
  defineAuditKind,
  listEventKinds,
  listOrganizationEvents,
} from '../../audit/index.ts';
import { dayMs } from '../../foundation/clock.ts';
import type { Database } from '../../foundation/database/database.ts';
import { invalidField } from '../../foundation/http/http-problems.ts';
import type { IdSource } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { addMs, isoMicroseconds, parseIsoDatetime } from '../../foundation/instant.ts';
import type { Page } from '../../foundation/pagination/page-envelope.ts';
import { presentPage } from '../../foundation/pagination/page-envelope.ts';
import type { PageRequest } from '../../foundation/pagination/page-request.ts';
import { readPageRequest } from '../../foundation/pagination/page-request.ts';
import type { PageQuery } from '../../foundation/pagination/page-schema.ts';
import { uuidRowId } from '../../foundation/pagination/row-id.ts';
import type { credentials } from '../../identity/index.ts';
import { accounts } from '../../identity/index.ts';
import { authorizeOrganization } from '../callers/authorize-organization.ts';
import { requirePermission } from '../callers/require-permission.ts';
import { recordActorEvent } from '../changes/record-actor-event.ts';
import { readAuditEvents } from '../core-permissions/core-actions.ts';
import type { Caller, OrganizationActor } from '../credentials/caller.ts';
import { resourceOf } from '../permissions/resource.ts';
import type { ReadDeps } from '../platform-routes-deps.ts';

export const auditLogExported = defineAuditKind('audit_log_exported', 'You exported the audit log.');

/** An event in responses. */
export interface ShownEvent {
  readonly id: string;
  readonly createdAt: string;
  readonly kind: string;
  readonly username: string | null;
  readonly address: string | null;
  readonly user_agent: string | null;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** Filters beside the page; days are in UTC, and `to` is included. */
export interface EventQuery {
  readonly kind?: string;
  readonly username?: string;
  readonly from?: string;
  readonly to?: string;
}

/** The maximum of one export. Larger exports are refused, not truncated. */
export const exportedEventsMax = 100_000;
const eventsPerRead = 500;
const unknownAccount = '00000000-0000-0000-0000-000000000000' as accounts.AccountId;

export async function listAuditEvents(
  deps: ReadDeps,
  caller: Caller,
  query: PageQuery & EventQuery & { readonly platform_key: string },
): Promise<Page<ShownEvent>> {
  const { organization } = await enterAuditLog(deps, caller, query.platform_key);
  const { kind, username, from, to } = query;
  const filters = { kind, username, from, to };
  const request = readPageRequest(query, {
    keys: deps.cursorKeys,
    ids: uuidRowId<'audit event'>(),
    route: 'listAuditEvents',
    tenant: organization.id,
    filters: Object.values(filters).every((value) => value === undefined) ? null : definedOf(filters),
  });
  const filter = await readFilter(deps.database, query);
  const events = await listOrganizationEvents(deps.database, organization.id, request, filter);
  const show = await presenterOf(deps.database, events);
  return presentPage<AuditRecord, AuditEventId, ShownEvent>(request, events, show);
}

/** For the form of the page. */
export async function listAuditEventKinds(
  deps: ReadDeps,
  caller: Caller,
  platformKey: string,
): Promise<readonly string[]> {
  const { organization } = await enterAuditLog(deps, caller, platformKey);
  return listEventKinds(deps.database, organization.id);
}

/** All matching events, newest first, read in chunks: only one chunk is in memory. The export itself is recorded. */
export async function exportAuditEvents(
  deps: ReadDeps & { readonly ids: IdSource; readonly clock: { readonly now: () => EpochMicroseconds } },
  request: EventQuery & {
    readonly caller: Caller;
    readonly platformKey: string;
    readonly format: string;
    readonly client: credentials.Client;
  },
): Promise<AsyncGenerator<ShownEvent>> {
  const { database, clock } = deps;
  const actor = await enterAuditLog(deps, request.caller, request.platformKey);
  const { id } = actor.organization;
  const filter = await readFilter(database, request);
  if ((await countOrganizationEvents(database, id, filter, exportedEventsMax + 1)) > exportedEventsMax)
    throw invalidField(
      'from',
      `More than ${exportedEventsMax} events match. Choose a shorter period.`,
      'query',
    );
  const { format, client } = request;
  const detail = definedOf({ format, kind: request.kind, from: request.from, to: request.to });
  await recordActorEvent(database, deps, actor, { kind: auditLogExported, at: clock.now(), client, detail });
  return everyEvent(database, id, filter);
}

async function* everyEvent(
  database: Database,
  organizationId: accounts.OrganizationId,
  filter: AuditFilter,
): AsyncGenerator<ShownEvent> {
  let start: PageRequest<AuditEventId>['start'] = { skip: 0 };
  // Events recorded meanwhile are newer than the first chunk, so later chunks do not contain them.
  for (let read = 0; read < exportedEventsMax; read += eventsPerRead) {
    const request = { limit: eventsPerRead, direction: 'forward', sort: 'createdAt', start } as const;
    const found = await listOrganizationEvents(database, organizationId, request, filter);
    const events = found.slice(0, eventsPerRead);
    const show = await presenterOf(database, events);
    yield* events.map(show);
    const last = events.at(-1);
    if (found.length <= eventsPerRead || last === undefined) return;
    start = { beside: { createdAt: last.createdAt, id: last.id } };
  }
}

async function enterAuditLog(
  deps: ReadDeps,
  caller: Caller,
  platformKey: string,
): Promise<OrganizationActor> {
  const actor = await authorizeOrganization(deps, caller, platformKey);
  requirePermission(actor, readAuditEvents, resourceOf(actor.organization.key, 'audit-events'));
  return actor;
}

async function readFilter(
  database: Database,
  { kind, username, from, to }: EventQuery,
): Promise<AuditFilter> {
  const last = to === undefined ? undefined : readDay('to', to);
  return {
    ...(kind !== undefined && { kind }),
    ...(username !== undefined && {
      accountId: (await accounts.findAccountIdOf(database, username)) ?? unknownAccount,
    }),
    ...(from !== undefined && { from: readDay('from', from) }),
    ...(last !== undefined && { before: addMs(last, dayMs) }),
  };
}

function readDay(name: string, text: string): EpochMicroseconds {
  const instant = parseIsoDatetime(`${text}T00:00:00Z`);
  if (!instant.ok) throw invalidField(name, 'must be a date such as 2026-11-15', 'query');
  return instant.value;
}

async function presenterOf(
  database: Database,
  events: readonly AuditRecord[],
): Promise<(event: AuditRecord) => ShownEvent> {
  const usernames = await accounts.findUsernames(
    database,
    events.flatMap(({ accountId }) => accountId ?? []),
  );
  return (event) => ({
    id: event.id,
    createdAt: isoMicroseconds(event.createdAt),
    kind: event.kind,
    username: (event.accountId === null ? undefined : usernames.get(event.accountId)) ?? null,
    address: event.address,
    user_agent: event.userAgent,
    detail: event.detail as Record<string, unknown>,
  });
}

function definedOf(fields: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
