import { html } from 'ghtml';

import { callers } from '../../../access/index.ts';
import type { StorageRequest } from '../../../storage/index.ts';
import { folders, projects } from '../../../storage/index.ts';
import { hidden } from '../../shell/form-controls.ts';
import { say, sayCount } from '../../shell/words/say.ts';
import { cellColumns, dataTable } from '../components/data-table.ts';
import { icon } from '../components/icons.ts';
import { badge, buttonLink, card } from '../components/parts.ts';
import type { PersonalPage } from '../console-route.ts';
import { platformPage, platformPath } from '../platform/platform-frame.ts';
import type { Visitor } from '../visitor.ts';
import { entryCells, whereOf } from './folder-pages.ts';
import type { StorageTools } from './storage-frame.ts';
import { breadcrumbs, readableSize, requireOf } from './storage-frame.ts';

export const selectionActions = ['move', 'copy', 'delete'] as const;
export type SelectionAction = (typeof selectionActions)[number];

interface Place {
  readonly projectId: string;
  readonly folderId: string | null;
}

/** The selected entries, as their check boxes name them, of one project. */
export async function readSelection(
  { files }: StorageTools,
  asked: StorageRequest,
  projectId: string,
  selected: readonly string[],
): Promise<readonly folders.Entry[]> {
  const entries: folders.Entry[] = [];
  for (const text of new Set(selected)) {
    const kind = text.startsWith('folder/') ? 'folder' : 'file';
    const entry = { id: text.slice(kind.length + 1), kind } as const;
    entries.push(await folders.readEntry(files, { ...asked, entry }));
  }
  if (entries.some((entry) => entry.projectId !== projectId)) throw callers.notFoundOrHidden();
  return entries;
}

/** `project/<id>` or `folder/<id>`; absent: the project itself. */
export async function readTarget(
  { files }: StorageTools,
  asked: StorageRequest,
  { org, id: projectId }: { readonly org: string; readonly id: string },
  text: string | undefined,
): Promise<Place> {
  const [kind = 'project', id = projectId] = text?.split('/') ?? [];
  if (kind === 'project') return { projectId: id, folderId: null };
  const folder = await folders.readEntry(files, { ...asked, entry: { id, kind: 'folder' } });
  requireOf(org, folder);
  return { projectId: folder.projectId, folderId: folder.id };
}

interface PreviewOptions {
  readonly org: string;
  readonly id: string;
  readonly action: SelectionAction;
  readonly entries: readonly folders.Entry[];
  readonly target: Place;
}

export async function selectionPreview(
  tools: StorageTools,
  visitor: Visitor,
  asked: StorageRequest,
  options: PreviewOptions,
): Promise<PersonalPage> {
  const { org, id, action, entries, target } = options;
  const source = await folders.viewContainer(tools.files, {
    ...asked,
    projectId: id,
    folderId: entries[0]?.parentId ?? null,
  });
  requireOf(org, source.project);
  const isElsewhere = target.projectId !== id;
  const verb = action === 'copy' ? 'read' : action === 'delete' || isElsewhere ? 'delete' : 'update';
  const allowed = await folders.entriesAllowing(tools.files, { ...asked, projectId: id }, entries, verb);
  const here = platformPath(org, 'projects', id, 'selection', action);
  const fields = entries.map((entry) => hidden('entries', `${entry.kind}/${entry.id}`)).join('');
  const places = action === 'delete' ? '' : await targetPicker(tools, asked, { ...options, here, fields });
  return platformPage(tools, visitor, {
    org,
    tab: 'projects',
    title: titleOf(action, entries.length),
    crumbs: breadcrumbs(org, source),
    lead: consequenceOf(action, isElsewhere),
    // The target first: twenty entries would move it out of view.
    main: html`!${places} !${entryList(visitor, org, entries, allowed)}
    !${action === 'delete' ? confirmation(here, fields, { action, count: allowed.size }) : ''}
    !${buttonLink({ href: whereOf(org, id, entries[0]?.parentId ?? null), label: say('Cancel') })}`,
  });
}

function titleOf(action: SelectionAction, count: number): string {
  if (action === 'move') return sayCount(count, 'Move 1 entry', 'Move {count} entries');
  if (action === 'copy') return sayCount(count, 'Copy 1 entry', 'Copy {count} entries');
  return sayCount(count, 'Move 1 entry to the trash', 'Move {count} entries to the trash');
}

function consequenceOf(action: SelectionAction, isElsewhere: boolean): string {
  if (action === 'delete') return say('Files and folders stay in the trash for 30 days and can be restored.');
  if (action === 'copy')
    return say('Copies contain only the current versions. If a name is in use, a number is added.');
  return isElsewhere
    ? say(
        'Earlier versions are moved with the files. Shares and links of entries that move to another project stop working. If a name is in use, a number is added.',
      )
    : say('Versions, shares and links remain. If a name is in use, a number is added.');
}

function entryList(
  { language }: Visitor,
  org: string,
  entries: readonly folders.Entry[],
  allowed: ReadonlySet<string>,
): string {
  const bytes = entries.reduce((sum, { content }) => sum + (content?.size ?? 0), 0);
  return dataTable(language, {
    caption: say('Selected files and folders'),
    columns: cellColumns([say('Name'), say('Size'), say('Changed'), say('Permission')]),
    rows: [
      ...entries.map((entry) => [
        ...entryCells(org, entry),
        allowed.has(entry.id) ? badge('good', say('Allowed')) : badge('bad', say('Not allowed')),
      ]),
      [html`<strong>${say('Total size of files')}</strong>`, readableSize(bytes), '', ''],
    ],
    empty: { icon: 'file', title: '' },
  });
}

function confirmation(
  here: string,
  fields: string,
  { action, count }: { readonly action: SelectionAction; readonly count: number },
): string {
  if (count === 0) return '';
  return html`<form method="post" action="${here}/apply" class="small">
    !${fields}<button type="submit" class="${action === 'delete' ? 'danger' : ''}">
      ${titleOf(action, count)}
    </button>
  </form>`;
}

/** How many folders and projects the picker lists. */
const choicesMax = 100;

/** The target, the folders in it and the other projects: each button shows the page for that place. */
async function targetPicker(
  { files }: StorageTools,
  asked: StorageRequest,
  {
    org,
    action,
    entries,
    target,
    here,
    fields,
  }: PreviewOptions & { readonly here: string; readonly fields: string },
): Promise<string> {
  const view = await folders.viewContainer(files, { ...asked, ...target });
  requireOf(org, view.project);
  const page = { sort: 'name' as const, limit: choicesMax };
  const children = await folders.listChildren(files, { ...asked, ...target, page }, (entry) => entry);
  const listed = { ...asked, organizationKey: org, page };
  const others = await projects.listProjects(files, listed, (project) => project);
  const isMoved = (id: string): boolean => action === 'move' && entries.some((entry) => entry.id === id);
  const above = view.trail.slice(0, -1);
  const trail = [
    { place: `project/${view.project.id}`, name: view.project.name, isOpen: target.folderId === null },
    ...above.map(({ id, name }) => ({ place: `folder/${id}`, name, isOpen: false })),
    ...view.trail.slice(-1).map(({ id, name }) => ({ place: `folder/${id}`, name, isOpen: true })),
  ];
  const inside = children.data.filter(({ kind, id }) => kind === 'folder' && !isMoved(id));
  const mayCreate = entries.every(({ kind }) => view.mayCreate(kind));
  const to = target.folderId === null ? `project/${target.projectId}` : `folder/${target.folderId}`;
  const name = view.trail.at(-1)?.name ?? view.project.name;
  return card({
    title: say('Target: {name}', { name: trail.map((one) => one.name).join(' / ') }),
    content: html`<form method="post" action="${here}" class="picker">
      !${fields} !${hidden('to', to)}
      <div class="cluster">
        !${mayCreate ? html`<button type="submit" class="btn primary" formaction="${here}/apply">${labelOf(action, name)}</button>` : badge('bad', say('You cannot add files or folders here.'))}
      </div>
      !${choices(
        say('Parent folders'),
        trail.filter(({ isOpen }) => !isOpen),
      )}
      !${choices(
        say('Folders in {name}', { name }),
        inside.map((folder) => ({ place: `folder/${folder.id}`, name: folder.name })),
      )}
      !${choices(
        say('Other projects'),
        others.data
          .filter((project) => project.id !== view.project.id)
          .map((project) => ({ place: `project/${project.id}`, name: project.name })),
      )}
    </form>`,
    isPadded: true,
  });
}

function labelOf(action: SelectionAction, name: string): string {
  return action === 'copy' ? say('Copy to {name}', { name }) : say('Move to {name}', { name });
}

function choices(
  label: string,
  places: readonly { readonly place: string; readonly name: string }[],
): string {
  if (places.length === 0) return '';
  return html`<fieldset>
    <legend>${label}</legend>
    <div class="cluster">
      !${places.map(
        ({ place, name }) =>
          html`<button type="submit" name="into" value="${place}">!${icon('folder')}${name}</button>`,
      )}
    </div>
  </fieldset>`;
}
