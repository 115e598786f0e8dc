import { Type } from 'typebox';

import { closedObject } from '../../../foundation/closed-object.ts';
import { conflict, forbidden, invalidField, notFound } from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import { idForm } from '../../../foundation/ids.ts';
import type { StorageRequest } from '../../../storage/index.ts';
import { folders, problems as storageProblems, transfers } from '../../../storage/index.ts';
import { say } from '../../shell/words/say.ts';
import type { Shown } from '../console-route.ts';
import { defineMemberForm } from '../console-route.ts';
import { organizationParams } from '../platform/platform-frame.ts';
import { applyToEach, resultPage } from './entry-results.ts';
import { folderPage, whereOf } from './folder-pages.ts';
import type { SelectionAction } from './selection-preview.ts';
import { readSelection, readTarget, selectionActions, selectionPreview } from './selection-preview.ts';
import type { StorageTools } from './storage-frame.ts';
import { storageRequest } from './storage-frame.ts';

const SelectionParams = Type.Object({
  ...organizationParams,
  id: Type.String({ pattern: idForm.source }),
  action: Type.Enum([...selectionActions]),
});
const placeForm = Type.String({ pattern: '^(project|folder)/[0-9a-f-]{36}$' });
const SelectionForm = closedObject({
  entries: Type.Optional(
    Type.Array(Type.String({ pattern: '^(folder|file)/[0-9a-f-]{36}$' }), { maxItems: 200 }),
  ),
  /** The target that the page shows, and the one that its reader opens. */
  to: Type.Optional(placeForm),
  into: Type.Optional(placeForm),
});
const problems = [forbidden, notFound, storageProblems.nameTaken, conflict];

/** Actions on selected folders and files: a page shows what will happen, its form does it. */
export function selectionPages(tools: StorageTools): readonly RouteDeclaration[] {
  return [previewForm(tools), applyForm(tools)];
}

function previewForm(tools: StorageTools): RouteDeclaration {
  return defineMemberForm(tools, {
    path: '/platform/{org}/projects/{id}/selection/{action}',
    operationId: 'previewSelectionOnPage',
    params: SelectionParams,
    body: SelectionForm,
    problems,
    show: async ({ visitor, params, body, request }) => {
      const asked = storageRequest(visitor, request);
      const entries = await readSelection(tools, asked, params.id, required(body.entries));
      const target = await readTarget(tools, asked, params, body.into ?? body.to);
      return selectionPreview(tools, visitor, asked, { ...params, entries, target });
    },
    refused: async ({ visitor, params: { org, id }, request }, problem) =>
      folderPage(tools, visitor, storageRequest(visitor, request), { org, projectId: id, problem }),
  });
}

function required(entries: readonly string[] | undefined): readonly string[] {
  if (entries === undefined || entries.length === 0)
    throw invalidField('entries', say('Select at least one entry'));
  return entries;
}

/** Each entry on its own: a refused one does not stop the others, and the page names both. */
function applyForm(tools: StorageTools): RouteDeclaration {
  return defineMemberForm(tools, {
    path: '/platform/{org}/projects/{id}/selection/{action}/apply',
    operationId: 'applySelectionOnPage',
    params: SelectionParams,
    body: SelectionForm,
    problems,
    show: async ({ visitor, params, body, request }): Promise<Shown> => {
      const { org, id, action } = params;
      const asked = storageRequest(visitor, request);
      const entries = await readSelection(tools, asked, id, required(body.entries));
      const target = await readTarget(tools, asked, params, body.to);
      const results = await applyToEach(entries, (entry) => apply(tools, asked, { action, entry, target }));
      const [first] = entries;
      const place = action === 'delete' ? { projectId: id, folderId: first?.parentId ?? null } : target;
      const to = whereOf(org, place.projectId, place.folderId);
      if (results.every(({ problem }) => problem === null)) return { to };
      return resultPage(tools, visitor, {
        org,
        done: doneOf(action),
        isGone: action === 'delete',
        back: { href: to, label: say('Open folder') },
        results,
      });
    },
    refused: async ({ visitor, params: { org, id }, request }, problem) =>
      folderPage(tools, visitor, storageRequest(visitor, request), { org, projectId: id, problem }),
  });
}

function apply(
  { files }: StorageTools,
  asked: StorageRequest,
  {
    action,
    entry: { id, kind },
    target,
  }: {
    readonly action: SelectionAction;
    readonly entry: folders.Entry;
    readonly target: { readonly projectId: string; readonly folderId: string | null };
  },
): Promise<unknown> {
  const entry = { id, kind };
  if (action === 'delete') return folders.deleteEntry(files, { ...asked, entry });
  const { projectId, folderId } = target;
  const wanted = { ...asked, entry, target: { projectId, folderId }, ifTaken: 'rename' as const };
  return action === 'copy' ? transfers.copyEntry(files, wanted) : transfers.moveEntry(files, wanted);
}

function doneOf(action: SelectionAction): string {
  if (action === 'copy') return say('Copied');
  return action === 'move' ? say('Moved') : say('Moved to the trash');
}
