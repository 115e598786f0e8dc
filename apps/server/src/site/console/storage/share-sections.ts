import { html } from 'ghtml';

import { members, shares } from '../../../access/index.ts';
import { forbidden } from '../../../foundation/http/http-problems.ts';
import { isoMilliseconds } from '../../../foundation/instant.ts';
import { ProblemError } from '../../../foundation/problem.ts';
import type { StorageRequest, folders } from '../../../storage/index.ts';
import { links, sharing } from '../../../storage/index.ts';
import {
  confirmedForm,
  field,
  form,
  hidden,
  instant,
  problemNotice,
  radios,
  select,
} from '../../shell/form-controls.ts';
import { cellColumns, dataTable } from '../components/data-table.ts';
import { callerOfVisitor, platformPath } from '../platform/platform-frame.ts';
import type { Visitor } from '../visitor.ts';
import { suggestedSubjects, writtenSubject } from './share-subject.ts';
import type { StorageTools } from './storage-frame.ts';

/** The resource of a page of shares. */
export interface SharePlace {
  readonly tools: StorageTools;
  readonly visitor: Visitor;
  readonly asked: StorageRequest;
  readonly org: string;
  readonly thing: Pick<sharing.ShareTarget, 'kind' | 'id'>;
  readonly name: string;
  readonly view: folders.EntryView;
}

export function pathOfThing({ org, thing }: Pick<SharePlace, 'org' | 'thing'>): string {
  return platformPath(org, `${thing.kind}s`, thing.id);
}

const levelMeanings: Readonly<Record<shares.ShareLevel, string>> = {
  read: 'read: view and download',
  write: 'write: read, upload, edit and delete',
  manage: 'manage: write, share and create links',
};
const levels = shares.shareLevels.map((value) => ({ value, label: levelMeanings[value] }));

/** The submitted values of a form that is shown again. */
export interface ShareFilled {
  readonly who?: string;
  readonly level?: shares.ShareLevel;
  readonly days?: string;
}

/** The list of shares, and the form to add one. */
export async function shareSection(
  place: SharePlace,
  { cursor, filled, problem }: SectionOptions,
): Promise<string> {
  const { tools, visitor, asked, thing, view } = place;
  const page = cursor === undefined ? {} : { cursor };
  const found = await sharing.listShares(tools.files, { ...asked, thing, page }, (share) =>
    shareCells(place, share),
  );
  const columns = ['Shared with', 'Access', 'Shared by', 'Since', 'Change'];
  const caption = 'Newest first.';
  const list = dataTable(visitor.language, {
    caption,
    columns: cellColumns(columns, ['main', 'state', 'low', 'low', 'also']),
    rows: found.data,
    pagination: { ...found.pagination, label: 'Older', isFirst: cursor === undefined },
    empty: { icon: 'share', title: `This ${thing.kind} is not shared directly.` },
  });
  return html`!${list}
    <p class="hint">
      Members may also have access through their role or
      groups${thing.kind === 'project' ? '' : ', or because the project or a parent folder is shared with them'}.
    </p>
    !${view.mayShare('create') ? await newShareForm(place, filled, problem) : ''}`;
}

interface SectionOptions {
  readonly cursor: string | undefined;
  readonly filled: ShareFilled;
  readonly problem: ProblemError | undefined;
}

function shareCells(place: SharePlace, share: shares.Share): readonly string[] {
  const { id, subject, level, maker, createdAt } = share;
  const here = pathOfThing(place);
  const who = nameOf(subject);
  const { mayShare } = place.view;
  const fields =
    hidden('who', writtenSubject(subject)) +
    select({ name: 'level', id: `level-${id}`, label: 'Access', options: levels, chosen: [level] });
  const label = `Save access of ${who}`;
  const change = html`<details>
    <summary>Change</summary>
    !${form({ action: `${here}/share`, submit: 'Save', label, fields })}
  </details>`;
  const end = confirmedForm('Stop sharing', {
    action: `${here}/share/end`,
    submit: `Stop sharing with ${who}`,
    fields: hidden('share', id),
    dangerous: true,
  });
  const kind = { member: 'member', group: 'group', invited: 'invited, not joined yet' }[subject.kind];
  return [
    html`<div>${who} <span class="hint">${kind}</span></div>`,
    html`${level}`,
    html`${maker.username}`,
    instant(isoMilliseconds(createdAt)),
    mayShare('delete') ? html`<div>!${mayShare('create') ? change : ''} !${end}</div>` : '',
  ];
}

function nameOf(subject: shares.ShareSubject): string {
  if (subject.kind === 'group') return subject.name;
  return subject.kind === 'invited' ? subject.email : subject.username;
}

async function newShareForm(
  place: SharePlace,
  { who = '', level = 'read' }: ShareFilled,
  problem: ProblemError | undefined,
): Promise<string> {
  const { tools, visitor, org } = place;
  const invited = await members.rolesToInviteAs(tools.access, callerOfVisitor(visitor), org);
  const suggestions = await suggestedSubjects(place, problem === undefined ? '' : who);
  const hint = invited.includes('guest')
    ? 'A username, group:3 for group number 3, or an e-mail address. Recipients who are not members are invited as guests with access only to shared resources.'
    : 'A username, or group:3 for group number 3.';
  const fields =
    field({
      name: 'who',
      label: 'Recipient',
      hint,
      value: who,
      autocomplete: 'off',
      maxLength: 320,
      suggestions,
      problem,
    }) + radios({ name: 'level', label: 'Access', options: levels, chosen: [level] });
  return html`<h2>Share</h2>
    !${problemNotice(problem)} !${form({ action: `${pathOfThing(place)}/share`, submit: 'Share', fields })}`;
}

const endings = [1, links.linkDays, 30, links.linkDaysMax].map((days) => ({
  value: String(days),
  label: days === 1 ? 'in a day' : `in ${days} days`,
}));
export const endingDays = endings.map(({ value }) => value);

/** The valid links, and the form to create one. For a project, the links to all its contents. */
export async function linkSection(
  place: SharePlace,
  { cursor, filled }: Omit<SectionOptions, 'problem'>,
): Promise<string> {
  const { visitor, thing, view } = place;
  const found = await linksOf(place, cursor);
  if (found === null) return '';
  const isProject = thing.kind === 'project';
  const columns = [...(isProject ? ['To'] : []), 'Created by', 'Created', 'Expires', 'Downloads', 'Change'];
  const list = dataTable(visitor.language, {
    caption: 'Active links, newest first.',
    columns: cellColumns(columns),
    rows: found.data,
    pagination: {
      ...found.pagination,
      label: 'Older links',
      parameter: 'links',
      isFirst: cursor === undefined,
    },
    empty: {
      icon: 'link',
      title: isProject ? 'No links in this project.' : `No links to this ${thing.kind}.`,
    },
  });
  const fields = select({
    name: 'days',
    label: 'Expires',
    options: endings,
    chosen: [filled.days ?? String(links.linkDays)],
  });
  const what = thing.kind === 'folder' ? 'downloads the folder as a zip file' : 'downloads the file';
  return html`<h2 id="links">Links</h2>
    <p>
      ${
        isProject
          ? 'Anyone with a link can download the file or folder without an account. Create links on the page of a file or folder.'
          : `Anyone with a link ${what}, without an account, until the link expires or is revoked. The link includes what its creator can read, and stops working when its creator can no longer share.`
      }
    </p>
    !${list}
    !${
      isProject || !view.mayShare('create')
        ? ''
        : html`<h3>Create link</h3>
            !${form({ action: `${pathOfThing(place)}/links`, submit: 'Create link', fields })}`
    }`;
}

/** Null for visitors who may not see the links to all contents of a project. */
async function linksOf(place: SharePlace, cursor: string | undefined) {
  const { tools, asked, thing } = place;
  const page = cursor === undefined ? {} : { cursor };
  const present = (link: links.Link): readonly string[] => linkCells(place, link);
  if (thing.kind !== 'project') {
    const entry = { kind: thing.kind, id: thing.id };
    return links.listLinks(tools.files, { ...asked, entry, page }, present);
  }
  try {
    return await links.listProjectLinks(tools.files, { ...asked, projectId: thing.id, page }, present);
  } catch (error) {
    if (error instanceof ProblemError && error.definition === forbidden) return null;
    throw error;
  }
}

function linkCells(place: SharePlace, link: links.Link): readonly string[] {
  const { org, thing, view } = place;
  const { id, kind, entryId, name, maker, createdAt, expiresAt, openedCount, lastOpenedAt } = link;
  const to = html`<a href="${platformPath(org, `${kind}s`, entryId)}">${name}</a>`;
  const end = isoMilliseconds(expiresAt);
  return [
    ...(thing.kind === 'project' ? [to] : []),
    html`${maker.username}`,
    instant(isoMilliseconds(createdAt)),
    instant(end),
    lastOpenedAt === null
      ? 'never'
      : html`<div>${openedTimes(openedCount)}, last !${instant(isoMilliseconds(lastOpenedAt))}</div>`,
    view.mayShare('delete')
      ? confirmedForm('Revoke', {
          action: `${pathOfThing(place)}/links/revoke`,
          submit: `Revoke link to ${name}`,
          label: `Revoke link to ${name} that expires ${end.slice(0, 10)}`,
          fields: hidden('link', id),
          dangerous: true,
        })
      : '',
  ];
}

function openedTimes(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}
