import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Static } from 'typebox';

import { titledObject } from '../../foundation/closed-object.ts';
import {
  conflict,
  forbidden,
  invalidCursor,
  notFound,
  rateLimited,
} from '../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../foundation/http/route.ts';
import { defineRoute } from '../../foundation/http/route.ts';
import type { Surface } from '../../foundation/http/surface.ts';
import { idForm } from '../../foundation/ids.ts';
import { isoMicroseconds, isoMilliseconds } from '../../foundation/instant.ts';
import { pageSchema } from '../../foundation/pagination/page-schema.ts';
import type { invitations } from '../../identity/index.ts';
import { permissionEscalation } from '../access-problems.ts';
import { callerOf } from '../callers/index.ts';
import type { ReadDeps } from '../platform-routes-deps.ts';
import { changeRequestOf } from '../platform-routes-deps.ts';
import { Instant, PlatformKey, PlatformPageQuery, PlatformQuery } from '../platform-schema.ts';
import { cancelInvitation } from './cancel-invitation.ts';
import type { InviteMemberDeps } from './invite-member.ts';
import { inviteMember, resendInvitation } from './invite-member.ts';
import { listInvitations } from './read-invitations.ts';

interface InvitationRoutesDeps extends ReadDeps, InviteMemberDeps {
  readonly surface: Surface;
}

const tag = 'members';
const collection = '/dm/api/core/rbac/invitations/';
const Role = Type.Enum(['admin', 'member', 'viewer', 'guest']);

const InvitationSchema = titledObject('Invitation', {
  id: Type.String({ format: 'uuid' }),
  email: Type.String({ format: 'email' }),
  role: Role,
  invited_by: Type.String({ description: 'Username of the sender.' }),
  createdAt: Instant,
  expiresAt: Instant,
});

const NewInvitationSchema = titledObject('NewInvitation', {
  platform_key: PlatformKey,
  email: Type.String({ minLength: 1, maxLength: 320 }),
  role: Role,
});

export function invitationRoutes(deps: InvitationRoutesDeps): readonly RouteDeclaration[] {
  return [listRoute(deps), sendRoute(deps), resendRoute(deps), cancelRoute(deps)];
}

function listRoute(deps: InvitationRoutesDeps): RouteDeclaration {
  return defineRoute({
    method: 'GET',
    path: collection,
    surface: deps.surface,
    operationId: 'listInvitations',
    tag,
    summary: 'List open invitations.',
    description: 'Invitations that are not accepted, cancelled or expired (after one week).',
    query: PlatformPageQuery,
    responses: { 200: { description: 'A page.', schema: pageSchema(InvitationSchema, 'Invitations') } },
    problems: [invalidCursor, forbidden, notFound],
    handle: async ({ query, request, reply }) =>
      reply
        .header('cache-control', 'no-store')
        .send(await listInvitations(deps, callerOf(request), query, presentInvitation)),
  });
}

function sendRoute(deps: InvitationRoutesDeps): RouteDeclaration {
  return defineRoute({
    method: 'POST',
    path: collection,
    surface: deps.surface,
    operationId: 'sendInvitation',
    tag,
    summary: 'Invite a member by e-mail. Replaces an open invitation to the same address.',
    description:
      'An invitation can be used once. It grants the role only if you can still grant it at acceptance. Limits: 100 invitations per hour and organization, 5 e-mails per hour and address.',
    body: NewInvitationSchema,
    bodyBytesMax: 4 * 1024,
    responses: { 201: { description: 'The e-mail is queued.', schema: InvitationSchema } },
    problems: [forbidden, permissionEscalation, notFound, conflict, rateLimited],
    handle: async ({ body: { platform_key: platformKey, email, role }, request, reply }) => {
      const asked = { ...changeRequestOf(request, platformKey), email, role };
      const invitation = await inviteMember(deps, asked);
      return reply.code(201).header('cache-control', 'no-store').send(presentInvitation(invitation));
    },
  });
}

function resendRoute(deps: InvitationRoutesDeps): RouteDeclaration {
  return defineRoute({
    method: 'POST',
    path: `${collection}{id}/resend`,
    surface: deps.surface,
    operationId: 'resendInvitation',
    tag,
    summary: 'Resend an invitation with a new link that is valid for a week.',
    description: 'You become the sender, and the limits for sending apply. The old link stops working.',
    params: InvitationParams,
    query: PlatformQuery,
    responses: { 201: { description: 'The e-mail is queued.', schema: InvitationSchema } },
    problems: [forbidden, permissionEscalation, notFound, rateLimited],
    handle: async ({ params, query, request, reply }) => {
      const invitation = await resendInvitation(deps, requestOf(params, query, request));
      return reply.code(201).header('cache-control', 'no-store').send(presentInvitation(invitation));
    },
  });
}

const InvitationParams = Type.Object({ id: Type.String({ pattern: idForm.source }) });

function requestOf(
  { id }: Static<typeof InvitationParams>,
  { platform_key: platformKey }: Static<typeof PlatformQuery>,
  request: FastifyRequest,
) {
  const invitationId = id as invitations.InvitationId;
  return { ...changeRequestOf(request, platformKey), invitationId };
}

function cancelRoute(deps: InvitationRoutesDeps): RouteDeclaration {
  return defineRoute({
    method: 'DELETE',
    path: `${collection}{id}`,
    surface: deps.surface,
    operationId: 'cancelInvitation',
    tag,
    summary: 'Cancel an invitation. Its link stops working.',
    params: InvitationParams,
    query: PlatformQuery,
    responses: { 204: { description: 'Cancelled.' } },
    problems: [forbidden, notFound],
    handle: async ({ params, query, request, reply }) => {
      await cancelInvitation(deps, requestOf(params, query, request));
      return reply.code(204).header('cache-control', 'no-store').send();
    },
  });
}

function presentInvitation(invitation: invitations.Invitation): Static<typeof InvitationSchema> {
  return {
    id: invitation.id,
    email: invitation.email,
    role: invitation.role,
    invited_by: invitation.sender.username,
    createdAt: isoMicroseconds(invitation.createdAt),
    expiresAt: isoMilliseconds(invitation.expiresAt),
  };
}
