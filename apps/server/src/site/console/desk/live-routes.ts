import { Readable } from 'node:stream';

import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';

import { callers } from '../../../access/index.ts';
import { closedObject } from '../../../foundation/closed-object.ts';
import { invalidField, notFound } from '../../../foundation/http/http-problems.ts';
import type { LeavingStream } from '../../../foundation/http/open-stream.ts';
import { streamOf } from '../../../foundation/http/open-stream.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import { defineRoute } from '../../../foundation/http/route.ts';
import { authorizeDesk, deskLive, isStillAdmitted } from '../../../newsroom/desk/index.ts';
import { pageHeaders } from '../../shell/page.ts';
import { callerOfVisitor } from '../platform/platform-frame.ts';
import { visitorOf } from '../visitor.ts';
import type { DeskTools } from './desk-frame.ts';

/** A page about one subject receives who edits it: `story 0198…`. */
const subjectPattern = '^(item|entry|story|source|daily|weekly|monthly) [0-9a-zW-]{1,40}$';
const Subject = Type.String({ pattern: subjectPattern });
const EventsQuery = closedObject({
  /** The id of the last event, or what the page showed. */
  after: Type.Optional(Type.String({ pattern: deskLive.startPattern })),
  about: Type.Optional(Subject),
});
const PresenceForm = closedObject({ subject: Subject, editing: Type.Enum(['0', '1']) });

const eventStream = 'text/event-stream';
const heartbeatMs = 15_000;
/** A session or permission that ends is noticed within this time. */
const admittedEveryMs = 400;
/** A client that reads slower connects again, and continues after the last event that it has. */
const waitingBytesMax = 256 * 1024;
const retryMs = 1_000;

/** What happens while a page of the desk is open. */
export function liveRoutes(tools: DeskTools): readonly RouteDeclaration[] {
  return [eventsRoute(tools), presenceRoute(tools)];
}

async function callerOf(tools: DeskTools, request: FastifyRequest): Promise<callers.Caller> {
  const visitor = await visitorOf(tools.identity, request);
  if (visitor === null) throw callers.notFoundOrHidden();
  const caller = callerOfVisitor(visitor);
  await authorizeDesk({ access: tools.access, ...tools.desk }, caller);
  return caller;
}

function eventsRoute(tools: DeskTools): RouteDeclaration {
  return defineRoute({
    method: 'GET',
    path: '/desk/events',
    surface: tools.pages,
    operationId: 'followDesk',
    tag: 'pages',
    summary: 'Decisions, new entries of the queue, and who is editing, as they happen.',
    query: EventsQuery,
    requestHeaders: {
      'Last-Event-ID': { description: 'Of a client that connects again.', schema: Type.String() },
    },
    stream: { bodyBytesMax: 0, progress: { bytes: 1, withinMs: 3 * heartbeatMs } },
    responses: { 200: { description: 'Events.', schema: Type.String(), contentType: eventStream } },
    problems: [notFound],
    handle: async ({ query, request, reply }) => {
      const caller = await callerOf(tools, request);
      const sent = request.headers['last-event-id'] ?? query.after;
      const start = deskLive.readStart(
        typeof sent === 'string'
          ? sent
          : await deskLive.readPresentStart(tools.desk.database, tools.desk.events.nowMs()),
      );
      if (start === null) throw invalidField('after', 'must be the id of an event');
      const body = openEvents(tools, streamOf(request), { caller, start, about: query.about ?? null });
      return reply
        .headers({ ...pageHeaders("'self'"), 'cache-control': 'no-store', 'x-accel-buffering': 'no' })
        .header('content-type', eventStream)
        .send(body);
    },
  });
}

interface EventsRequest {
  readonly caller: callers.Caller;
  readonly start: NonNullable<ReturnType<typeof deskLive.readStart>>;
  readonly about: string | null;
}

/** Ends with the session, the permission, the connection and the process; the page then connects again. */
function openEvents(
  { desk, access }: DeskTools,
  { signal, leaving }: LeavingStream,
  { caller, start, about }: EventsRequest,
): Readable {
  const ending = new AbortController();
  const body = new Readable({ read: () => {} });
  const end = (): void => {
    if (ending.signal.aborted) return;
    ending.abort();
    clearInterval(heartbeat);
    clearInterval(admission);
    body.push(null);
  };
  const write = (text: string): void => {
    if (ending.signal.aborted) return;
    body.push(text);
    if (body.readableLength > waitingBytesMax) end();
  };
  const heartbeat = setInterval(() => write(':\n\n'), heartbeatMs);
  const admission = setInterval(() => {
    isStillAdmitted({ access, ...desk }, caller).then((isAdmitted) => {
      if (!isAdmitted) end();
      return null;
    }, end);
  }, admittedEveryMs);
  for (const one of [signal, leaving])
    if (one.aborted) end();
    else one.addEventListener('abort', end, { once: true });
  write(`retry: ${retryMs}\n\n`);
  let shown = '';
  desk.events
    .follow(start, {
      signal: ending.signal,
      onEvents: (events) => write(events.map((event) => lineOf(event, desk.events.nowMs())).join('')),
      onReset: () => {
        write('event: reset\ndata: {}\n\n');
        end();
      },
      onEditing: (editing) => {
        if (about === null) return;
        const people = editing
          .filter(({ subject, accountId }) => subject === about && accountId !== caller.accountId)
          .map(({ name }) => name);
        const line = `event: presence\ndata: ${JSON.stringify({ people })}\n\n`;
        if (line === shown) return;
        shown = line;
        write(line);
      },
      onFailed: end,
    })
    .catch(end);
  return body;
}

function lineOf(event: deskLive.DeskEvent, nowMs: number): string {
  const data =
    event.name === 'decision'
      ? { subject: `${event.subject.kind} ${event.subject.id}`, action: event.action }
      : { kind: event.kind, id: event.id };
  return `id: ${deskLive.eventId(event, nowMs)}\nevent: ${event.name}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** Sent by the script of a page with a changed form: at once, every few seconds, and when the page is left. */
function presenceRoute(tools: DeskTools): RouteDeclaration {
  return defineRoute({
    method: 'POST',
    path: '/desk/presence',
    surface: tools.forms,
    operationId: 'markEditingOnDesk',
    tag: 'pages',
    summary: 'Whether the editor is changing a form about a subject.',
    body: PresenceForm,
    bodyFormat: 'form',
    bodyBytesMax: 64 * 1024,
    responses: { 204: { description: 'Stored for 20 seconds.' } },
    problems: [notFound],
    handle: async ({ body, request, reply }) => {
      const { accountId } = await callerOf(tools, request);
      const { database } = tools.desk;
      const { subject, editing } = body;
      if (editing === '1') await deskLive.markEditing(database, { subject, accountId });
      else await deskLive.endEditing(database, { subject, accountId });
      return reply.code(204).headers(pageHeaders("'self'")).header('cache-control', 'no-store').send();
    },
  });
}
