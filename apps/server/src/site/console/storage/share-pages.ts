import { html } from 'ghtml';
import { Type } from 'typebox';

import { changes, shares } from '../../../access/index.ts';
import { dayMs } from '../../../foundation/clock.ts';
import { closedObject } from '../../../foundation/closed-object.ts';
import {
  conflict,
  forbidden,
  invalidCursor,
  notFound,
  rateLimited,
} from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import { idForm } from '../../../foundation/ids.ts';
import { addMs, isoMicroseconds } from '../../../foundation/instant.ts';
import type { ProblemError } from '../../../foundation/problem.ts';
import type { StorageRequest } from '../../../storage/index.ts';
import { folders, links, sharing } from '../../../storage/index.ts';
import { notice, problemNotice, shownOnce } from '../../shell/form-controls.ts';
import { say, sayHtml } from '../../shell/words/say.ts';
import type { PersonalPage } from '../console-route.ts';
import { defineMemberForm, defineMemberPage } from '../console-route.ts';
import { PageLinkQuery, platformPage } from '../platform/platform-frame.ts';
import type { Visitor } from '../visitor.ts';
import type { ShareFilled, SharePlace } from './share-sections.ts';
import { endingDays, linkSection, pathOfThing, shareSection } from './share-sections.ts';
import { problemOfForm, subjectOf } from './share-subject.ts';
import type { StorageTools } from './storage-frame.ts';
import { ThingParams, breadcrumbs, requireOf, storageRequest, tabOf } from './storage-frame.ts';

type Kind = sharing.ShareTarget['kind'];

const kinds: readonly Kind[] = ['project', 'folder', 'file'];
const titleOf = { project: 'Project', folder: 'Folder', file: 'File' } as const;
const problems = [forbidden, notFound];
const ShareQuery = Type.Object({
  ...PageLinkQuery.properties,
  /** The cursor of the links. */
  links: PageLinkQuery.properties.cursor,
});
const ShareForm = closedObject({
  who: Type.Optional(Type.String({ maxLength: 400 })),
  level: Type.Optional(Type.Enum([...shares.shareLevels])),
  /** A check box: absent if it is not checked. */
  history: Type.Optional(Type.Literal('yes')),
});
const id = Type.String({ pattern: idForm.source });
const EndForm = closedObject({ share: id });
const LinkForm = closedObject({
  days: Type.Optional(Type.Enum(endingDays)),
  /** Empty: none. */
  password: Type.Optional(Type.String({ maxLength: 200 })),
});
const RevokeForm = closedObject({ link: id });

/** The shares of a project, folder or file, and the links to it. */
export function sharePages(tools: StorageTools): readonly RouteDeclaration[] {
  return kinds.flatMap((kind) => [
    onePage(tools, kind),
    shareForm(tools, kind),
    endForm(tools, kind),
    ...(kind === 'project' ? [] : [linkForm(tools, kind)]),
    revokeForm(tools, kind),
  ]);
}

function pathOf(kind: Kind, rest: string): string {
  return `/platform/{org}/${kind}s/{id}/${rest}`;
}

function onePage(tools: StorageTools, kind: Kind): RouteDeclaration {
  return defineMemberPage(tools, {
    path: pathOf(kind, 'share'),
    operationId: `show${titleOf[kind]}Shares`,
    params: ThingParams,
    query: ShareQuery,
    problems: [...problems, invalidCursor],
    show: async ({ visitor, params, query, request }) =>
      sharePage(tools, visitor, storageRequest(visitor, request), { kind, ...params, ...query }),
  });
}

function shareForm(tools: StorageTools, kind: Kind): RouteDeclaration {
  return defineMemberForm(tools, {
    path: pathOf(kind, 'share'),
    operationId: `share${titleOf[kind]}OnPage`,
    params: ThingParams,
    body: ShareForm,
    problems: [...problems, changes.permissionEscalation, conflict, rateLimited],
    show: async ({ visitor, params, body, request }) => {
      const asked = storageRequest(visitor, request);
      const to = await subjectOf({ tools, visitor, org: params.org }, body.who ?? '');
      await sharing.createShare(tools.files, {
        ...asked,
        thing: { kind, id: params.id },
        to,
        level: body.level ?? 'read',
        history: body.history !== undefined,
      });
      const news = html`<p>
        !${sayHtml('Shared with {strong}. {start}', { strong: html`<strong>${body.who ?? ''}</strong>`, start: html`${to.email === undefined ? say('Access starts within a second.') : say('Access starts when the recipient accepts the invitation we e-mailed.')}` })}
      </p>`;
      return sharePage(tools, visitor, asked, { kind, ...params, news });
    },
    refused: async ({ visitor, params, body, request }, problem) =>
      sharePage(tools, visitor, storageRequest(visitor, request), {
        kind,
        ...params,
        filled: body,
        problem: await problemOfForm({ tools, visitor, org: params.org }, problem, body.who ?? ''),
        isOfShare: true,
      }),
  });
}

function endForm(tools: StorageTools, kind: Kind): RouteDeclaration {
  return defineMemberForm(tools, {
    path: pathOf(kind, 'share/end'),
    operationId: `end${titleOf[kind]}ShareOnPage`,
    params: ThingParams,
    body: EndForm,
    problems,
    show: async ({ visitor, params, body, request }) => {
      await sharing.endShare(tools.files, { ...storageRequest(visitor, request), shareId: body.share });
      return { to: `${pathOfThing({ org: params.org, thing: { kind, id: params.id } })}/share` };
    },
  });
}

function linkForm(tools: StorageTools, kind: 'folder' | 'file'): RouteDeclaration {
  return defineMemberForm(tools, {
    path: pathOf(kind, 'links'),
    operationId: `create${titleOf[kind]}LinkOnPage`,
    params: ThingParams,
    body: LinkForm,
    problems: [...problems, conflict],
    show: async ({ visitor, params, body, request }) => {
      const asked = storageRequest(visitor, request);
      const days = Number(body.days ?? links.linkDays.default);
      const { password = '' } = body;
      const { secret } = await links.createLink(tools.files, {
        ...asked,
        entry: { kind, id: params.id },
        ...(password !== '' && { password }),
        expiresAt: isoMicroseconds(addMs(tools.identity.clock.now(), days * dayMs)),
      });
      const hint =
        password === ''
          ? say(
              'Anyone with this link can download the content. Copy the link now. It will not be shown again.',
            )
          : say(
              'Anyone with this link and its password can download the content. Copy the link now, and send the password separately. The link will not be shown again.',
            );
      const address = tools.identity.baseUrl + links.sharedPagePath(secret);
      const news = shownOnce(say('Link'), address, 3, hint);
      return sharePage(tools, visitor, asked, { kind, ...params, news });
    },
    refused: async ({ visitor, params, body, request }, problem) =>
      sharePage(tools, visitor, storageRequest(visitor, request), {
        kind,
        ...params,
        filled: { ...(body.days !== undefined && { days: body.days }) },
        problem,
      }),
  });
}

function revokeForm(tools: StorageTools, kind: Kind): RouteDeclaration {
  return defineMemberForm(tools, {
    path: pathOf(kind, 'links/revoke'),
    operationId: `revoke${titleOf[kind]}LinkOnPage`,
    params: ThingParams,
    body: RevokeForm,
    problems,
    show: async ({ visitor, params, body, request }) => {
      await links.revokeLink(tools.files, { ...storageRequest(visitor, request), linkId: body.link });
      return { to: `${pathOfThing({ org: params.org, thing: { kind, id: params.id } })}/share#links` };
    },
  });
}

interface ShareOptions {
  readonly org: string;
  readonly kind: Kind;
  readonly id: string;
  readonly cursor?: string;
  readonly links?: string;
  /** HTML. */
  readonly news?: string;
  readonly filled?: ShareFilled;
  readonly problem?: ProblemError;
  /** Whether the problem belongs to the form that shares, and is shown there. */
  readonly isOfShare?: boolean;
}

async function sharePage(
  tools: StorageTools,
  visitor: Visitor,
  asked: StorageRequest,
  options: ShareOptions,
): Promise<PersonalPage> {
  const { org, kind, cursor, links, news, filled = {}, problem, isOfShare = false } = options;
  const thing = { kind, id: options.id };
  const viewed = await viewThing(tools, asked, thing);
  requireOf(org, viewed.view.project);
  const place: SharePlace = { tools, visitor, asked, org, thing, ...viewed };
  const { view, name, crumb } = viewed;
  return platformPage(tools, visitor, {
    org,
    tab: tabOf(view),
    title: view.mayShare('create') ? say('Share {name}', { name }) : say('Access to {name}', { name }),
    crumbs: breadcrumbs(org, view, crumb),
    main: html`!${news === undefined ? '' : notice('good', news)} !${isOfShare ? '' : problemNotice(problem)}
    !${await shareSection(place, { cursor, filled, problem: isOfShare ? problem : undefined })}
    !${await linkSection(place, { cursor: links, filled })}`,
  });
}

async function viewThing(
  { files }: StorageTools,
  asked: StorageRequest,
  { kind, id: text }: SharePlace['thing'],
) {
  if (kind === 'file') {
    const view = await folders.viewFile(files, { ...asked, fileId: text });
    return { view, name: view.file.name, crumb: { file: view.file } };
  }
  if (kind === 'project') {
    const view = await folders.viewContainer(files, { ...asked, projectId: text, folderId: null });
    return { view, name: view.project.name, crumb: {} };
  }
  const { projectId, name } = await folders.readEntry(files, { ...asked, entry: { kind, id: text } });
  const view = await folders.viewContainer(files, { ...asked, projectId, folderId: text });
  return { view, name, crumb: {} };
}
