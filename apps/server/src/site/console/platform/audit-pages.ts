import { Readable } from 'node:stream';

import { html } from 'ghtml';
import { Type } from 'typebox';
import type { Static } from 'typebox';

import { auditEvents } from '../../../access/index.ts';
import { closedObject } from '../../../foundation/closed-object.ts';
import { csvLine } from '../../../foundation/csv.ts';
import { forbidden, internal, invalidCursor, notFound } from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import { defineRoute } from '../../../foundation/http/route.ts';
import { credentials } from '../../../identity/index.ts';
import { contents } from '../../../storage/index.ts';
import { pageLanguage, say, sayKnown } from '../../shell/words/say.ts';
import { wordsOf } from '../../shell/words/words.ts';
import type { Column } from '../components/data-table.ts';
import { dataTable } from '../components/data-table.ts';
import { device } from '../components/device.ts';
import { ago } from '../components/moments.ts';
import { buttonLink } from '../components/parts.ts';
import type { PersonalPage } from '../console-route.ts';
import { defineMemberPage, signInPath } from '../console-route.ts';
import type { Visitor } from '../visitor.ts';
import { visitorOf } from '../visitor.ts';
import { eventWords } from './event-words.ts';
import type { PlatformTools } from './platform-frame.ts';
import {
  OrganizationParams,
  PageLinkQuery,
  callerOfVisitor,
  platformPage,
  platformPath,
} from './platform-frame.ts';

/** A browser sends empty fields of a form too. */
const Filter = {
  kind: Type.Optional(Type.String({ maxLength: 100 })),
  username: Type.Optional(Type.String({ maxLength: 100 })),
  from: Type.Optional(Type.String({ maxLength: 10 })),
  to: Type.Optional(Type.String({ maxLength: 10 })),
};
const AuditQuery = closedObject({ ...PageLinkQuery.properties, ...Filter });
const formats = ['csv', 'jsonl'] as const;
const ExportQuery = closedObject({ ...Filter, format: Type.Enum([...formats]) });
type FilterQuery = Omit<Static<typeof ExportQuery>, 'format'>;

const mediaTypes = { csv: 'text/csv; charset=utf-8', jsonl: 'application/x-ndjson' } as const;

/** The audit log of an organization, for members who may read it: filtered, and exported as CSV or JSON lines. */
export function auditPages(tools: PlatformTools): readonly RouteDeclaration[] {
  return [
    defineMemberPage(tools, {
      path: '/platform/{org}/audit',
      operationId: 'showAuditLog',
      params: OrganizationParams,
      query: AuditQuery,
      problems: [forbidden, notFound, invalidCursor],
      show: async ({ visitor, params: { org }, query: { cursor, ...filter } }) =>
        auditPage(tools, visitor, org, filterOf(filter), cursor),
    }),
    exportRoute(tools),
  ];
}

function exportRoute(tools: PlatformTools): RouteDeclaration {
  return defineRoute({
    method: 'GET',
    path: '/platform/{org}/audit/export',
    surface: tools.pages,
    operationId: 'exportAuditLog',
    tag: 'pages',
    summary: 'The audit log of an organization as CSV or JSON lines.',
    params: OrganizationParams,
    query: ExportQuery,
    stream: contents.contentStream,
    responses: {
      200: { description: 'The file.', schema: Type.String({ format: 'binary' }), contentType: 'text/csv' },
      303: { description: 'Sign in first.' },
    },
    problems: [forbidden, notFound, internal],
    handle: async ({ params: { org }, query: { format, ...filter }, request, reply }) => {
      reply.header('cache-control', 'no-store');
      const visitor = await visitorOf(tools.identity, request);
      if (visitor === null) return reply.code(303).header('location', signInPath(request)).send();
      const events = await auditEvents.exportAuditEvents(tools.access, {
        ...filterOf(filter),
        caller: callerOfVisitor(visitor),
        platformKey: org,
        format,
        client: credentials.clientOf(request),
      });
      const lines = format === 'csv' ? csvLines(events) : jsonLines(events);
      return reply
        .headers({
          'content-type': mediaTypes[format],
          'content-disposition': `attachment; filename="audit-log-${org}.${format}"`,
          'x-content-type-options': 'nosniff',
        })
        .send(Readable.from(lines, { objectMode: false }));
    },
  });
}

type Events = AsyncIterable<auditEvents.ShownEvent>;
const csvColumns = ['id', 'createdAt', 'kind', 'username', 'address', 'user_agent', 'detail'] as const;

async function* csvLines(events: Events): AsyncGenerator<string> {
  // Without the byte order mark spreadsheets assume another encoding than UTF-8.
  yield `\uFEFF${csvLine(csvColumns)}`;
  for await (const event of events)
    yield csvLine(csvColumns.map((name) => (name === 'detail' ? JSON.stringify(event.detail) : event[name])));
}

async function* jsonLines(events: Events): AsyncGenerator<string> {
  for await (const event of events) yield `${JSON.stringify(event)}\n`;
}

function filterOf(query: FilterQuery): Readonly<Record<string, string>> {
  const filled = Object.entries(query).map(([name, value]) => [name, (value ?? '').trim()] as const);
  return Object.fromEntries(filled.filter(([, value]) => value !== ''));
}

async function auditPage(
  tools: PlatformTools,
  visitor: Visitor,
  org: string,
  filter: Readonly<Record<string, string>>,
  cursor: string | undefined,
): Promise<PersonalPage> {
  const caller = callerOfVisitor(visitor);
  const kinds = await auditEvents.listAuditEventKinds(tools.access, caller, org);
  const { data, pagination } = await auditEvents.listAuditEvents(tools.access, caller, {
    platform_key: org,
    ...filter,
    ...(cursor !== undefined && { cursor }),
  });
  const exportLink = (format: (typeof formats)[number]): string =>
    `${platformPath(org, 'audit', 'export')}?${new URLSearchParams({ ...filter, format }).toString()}`;
  const list = dataTable(visitor.language, {
    caption: say('Newest first.'),
    rows: data,
    columns: eventColumns(tools, visitor),
    filters: [
      {
        name: 'kind',
        label: say('Event'),
        options: [
          { value: '', label: say('All events') },
          ...kinds.map((kind) => ({ value: kind, label: eventWords(kind) })),
        ],
        chosen: filter['kind'] ?? '',
      },
    ],
    search: { label: say('Username'), query: filter['username'], name: 'username' },
    fields: dayField(filter, 'from', say('Start date')) + dayField(filter, 'to', say('End date')),
    pagination: { ...pagination, query: filter, isFirst: cursor === undefined },
    empty: { icon: 'pulse', title: say('No events match.') },
  });
  return platformPage(tools, visitor, {
    org,
    tab: 'audit',
    title: wordsOf(visitor.language).console.sections.audit,
    lead: say('Changes in this organization by members, programs and the system.'),
    actions:
      buttonLink({ href: exportLink('csv'), label: say('Export CSV'), icon: 'download' }) +
      buttonLink({ href: exportLink('jsonl'), label: say('Export JSON Lines'), icon: 'download' }),
    main: list,
  });
}

function eventColumns(
  tools: PlatformTools,
  { language }: Visitor,
): readonly Column<auditEvents.ShownEvent>[] {
  const now = tools.identity.clock.now();
  return [
    {
      label: say('Event'),
      place: 'main',
      cell: ({ kind }) => html`<span class="name">${eventWords(kind)}</span>`,
    },
    {
      label: say('Actor'),
      place: 'also',
      cell: ({ username }) => html`<code class="whole">${username ?? '–'}</code>`,
    },
    { label: say('Details'), place: 'also', cell: ({ detail }) => detailCell(detail) },
    { label: say('From'), place: 'low', cell: ({ address, user_agent }) => device(address, user_agent) },
    { label: say('Time'), place: 'also', cell: ({ createdAt }) => ago(createdAt, now, language) },
  ];
}

function dayField(filter: Readonly<Record<string, string>>, name: 'from' | 'to', label: string): string {
  return html`<input
    type="date"
    name="${name}"
    aria-label="${label}"
    title="${label}"
    value="${filter[name] ?? ''}"
  />`;
}

/** The main facts; ids and paths are folded. The version orders changes and is omitted. */
function detailCell(detail: Readonly<Record<string, unknown>>): string {
  const entries = Object.entries(detail).filter(([name]) => name !== 'version');
  const isTechnical = ([name]: readonly [string, unknown]): boolean => /(?:Id|^resource)$/.test(name);
  const technical = detailList(entries.filter(isTechnical));
  return html`<div>
    !${detailList(entries.filter((entry) => !isTechnical(entry)))}
    !${
      technical === ''
        ? ''
        : html`<details>
            <summary>${say('IDs')}</summary>
            !${technical}
          </details>`
    }
  </div>`;
}

function detailList(entries: readonly (readonly [string, unknown])[]): string {
  if (entries.length === 0) return '';
  return html`<ul class="details">
    !${entries.map(([name, value]) => html`<li>${say('{field}: {value}', { field: fieldWords(name), value: valueWords(name, String(value)) })}</li>`)}
  </ul>`;
}

/** `invitationsEnded` as “Invitations ended”. */
function fieldWords(name: string): string {
  if (name === 'entryKind') return say('Kind');
  const words = name.replaceAll(/[A-Z]/gu, (letter) => ` ${letter.toLowerCase()}`);
  return sayKnown(words.charAt(0).toUpperCase() + words.slice(1));
}

function valueWords(name: string, value: string): string {
  const { roles } = wordsOf(pageLanguage()).console;
  if (name === 'role') return roles[value] ?? value;
  return name === 'entryKind' ? sayKnown(value) : value;
}
