import { Type } from 'typebox';

import { callers } from '../../../access/index.ts';
import { closedObject } from '../../../foundation/closed-object.ts';
import type { RouteInput } from '../../../foundation/http/route.ts';
import { idForm } from '../../../foundation/ids.ts';
import { credentials } from '../../../identity/index.ts';
import type { StorageDeps, StorageRequest, folders, projects } from '../../../storage/index.ts';
import { sizeIn } from '../../shell/words/counts.ts';
import { pageLanguage, say } from '../../shell/words/say.ts';
import { buttonLink } from '../components/parts.ts';
import type { Link } from '../frame/console-frame.ts';
import type { PlatformTab, PlatformTools } from '../platform/platform-frame.ts';
import { callerOfVisitor, organizationParams, platformPath } from '../platform/platform-frame.ts';
import type { Visitor } from '../visitor.ts';

export interface StorageTools extends PlatformTools {
  readonly files: StorageDeps;
}

export const ThingParams = Type.Object({
  ...organizationParams,
  id: Type.String({ pattern: idForm.source }),
});

export const NameForm = closedObject({ name: Type.Optional(Type.String({ maxLength: 1_000 })) });

/** The caller and the client address, for the use cases of storage. */
export function storageRequest(
  visitor: Visitor,
  request: RouteInput<undefined, undefined, undefined>['request'],
): StorageRequest {
  return { caller: callerOfVisitor(visitor), client: credentials.clientOf(request) };
}

/** An address names one organization: resources of another are 404 there. */
export function requireOf(org: string, { organization }: Pick<projects.Project, 'organization'>): void {
  if (organization.key !== org) throw callers.notFoundOrHidden();
}

/** The location of an entry: the project, and the folders down to it, each a link. */
export function breadcrumbs(
  org: string,
  { project, mayReadProject, trail }: folders.EntryView,
  /** `isLast`: the last step is the current page, which is not a link. */
  { isLast = false, file }: { readonly isLast?: boolean; readonly file?: folders.Entry } = {},
): readonly Link[] {
  const all = [
    ...(mayReadProject ? [{ href: platformPath(org, 'projects', project.id), label: project.name }] : []),
    ...trail.map(({ id, name }) => ({ href: platformPath(org, 'folders', id), label: name })),
    ...(file === undefined ? [] : [{ href: platformPath(org, 'files', file.id), label: file.name }]),
  ];
  return isLast ? all.slice(0, -1) : all;
}

/** The tab of a resource: for visitors with access to a part of a project, the tab of shared resources. */
export function tabOf({ mayReadProject }: folders.EntryView): PlatformTab {
  return mayReadProject ? 'projects' : 'shared';
}

/** A link to the shares and links of a resource, for visitors who may see them. */
export function shareLink(here: string, { mayShare }: folders.EntryView): string {
  if (!mayShare('read')) return '';
  return buttonLink({
    href: `${here}/share`,
    label: mayShare('create') ? say('Share') : say('View access'),
    icon: 'share',
  });
}

export function readableSize(bytes: number): string {
  return sizeIn(pageLanguage(), bytes);
}
