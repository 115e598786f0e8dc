import { html } from 'ghtml';

import { members, shares } from '../../../access/index.ts';
import { forbidden } from '../../../foundation/http/http-problems.ts';
import { isoMilliseconds } from '../../../foundation/instant.ts';
import { ProblemError } from '../../../foundation/problem.ts';
import type { StorageRequest, folders } from '../../../storage/index.ts';
import { links, sharing } from '../../../storage/index.ts';
import {
  choiceOption,
  confirmedForm,
  field,
  form,
  hidden,
  instant,
  problemNotice,
  radios,
  select,
} from '../../shell/form-controls.ts';
import type { Text } from '../../shell/words/say.ts';
import { say, sayCount, sayDays } from '../../shell/words/say.ts';
import { cellColumns, dataTable } from '../components/data-table.ts';
import { card } from '../components/parts.ts';
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

const levelMeanings: Readonly<Record<shares.ShareLevel, Text>> = {
  read: 'read: view and download',
  write: 'write: read, upload, edit and delete',
  manage: 'manage: write, share and create links',
};
const levels = () => shares.shareLevels.map((value) => ({ value, label: say(levelMeanings[value]) }));

/** The submitted values of a form that is shown again. */
export interface ShareFilled {
  readonly who?: string;
  readonly level?: shares.ShareLevel;
  readonly history?: 'yes';
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
  const columns = [say('Shared with'), say('Access'), say('Shared by'), say('Since'), say('Change')];
  const caption = say('Newest first.');
  const list = dataTable(visitor.language, {
    caption,
    columns: cellColumns(columns, ['main', 'state', 'low', 'low', 'also']),
    rows: found.data,
    pagination: { ...found.pagination, label: say('Older'), isFirst: cursor === undefined },
    empty: { icon: 'share', title: say(notShared[thing.kind]) },
  });
  return html`!${list}
    <p class="hint">
      ${
        thing.kind === 'project'
          ? say('Members may also have access through their role or groups.')
          : say(
              'Members may also have access through their role or groups, or because the project or a parent folder is shared with them.',
            )
      }
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
    select({ name: 'level', id: `level-${id}`, label: say('Access'), options: levels(), chosen: [level] }) +
    historyBox(sharing.sharesHistory(share));
  const label = say('Save access of {who}', { who });
  const change = html`<details>
    <summary>${say('Change')}</summary>
    !${form({ action: `${here}/share`, submit: say('Save'), label, fields })}
  </details>`;
  const end = confirmedForm(say('Stop sharing'), {
    action: `${here}/share/end`,
    submit: say('Stop sharing with {who}', { who }),
    fields: hidden('share', id),
    dangerous: true,
  });
  const kind = say(
    ({ member: 'member', group: 'group', invited: 'invited, not joined yet' } as const)[subject.kind],
  );
  return [
    html`<div>${who} <span class="hint">${kind}</span></div>`,
    html`${say(level)}
    !${sharing.sharesHistory(share) ? html`<span class="hint">${say('with earlier versions')}</span>` : ''}`,
    html`${maker.username}`,
    instant(isoMilliseconds(createdAt)),
    mayShare('delete') ? html`<div>!${mayShare('create') ? change : ''} !${end}</div>` : '',
  ];
}

function historyBox(isChosen: boolean): string {
  const option = { value: 'yes', label: say('Include earlier versions of files') };
  return choiceOption({ type: 'checkbox', name: 'history', isChosen }, option);
}

function nameOf(subject: shares.ShareSubject): string {
  if (subject.kind === 'group') return subject.name;
  return subject.kind === 'invited' ? subject.email : subject.username;
}

async function newShareForm(
  place: SharePlace,
  { who = '', level = 'read', history }: ShareFilled,
  problem: ProblemError | undefined,
): Promise<string> {
  const { tools, visitor, org } = place;
  const invited = await members.rolesToInviteAs(tools.access, callerOfVisitor(visitor), org);
  const suggestions = await suggestedSubjects(place, problem === undefined ? '' : who);
  const hint = invited.includes('guest')
    ? say(
        'A username, the name of a group, or an e-mail address. Recipients who are not members are invited as guests with access only to shared resources.',
      )
    : say('A username, or the name of a group.');
  const fields =
    field({
      name: 'who',
      label: say('Recipient'),
      hint,
      value: who,
      autocomplete: 'off',
      maxLength: 320,
      suggestions,
      problem,
    }) +
    radios({ name: 'level', label: say('Access'), options: levels(), chosen: [level] }) +
    historyBox(history !== undefined);
  return html`<h2>${say('Share')}</h2>
    !${problemNotice(problem)}
    !${form({ action: `${pathOfThing(place)}/share`, submit: say('Share'), fields })}`;
}

const notShared = {
  project: 'This project is not shared directly.',
  folder: 'This folder is not shared directly.',
  file: 'This file is not shared directly.',
} as const;
const linkTexts = {
  folder:
    'Anyone with a link downloads the folder as a zip file, without an account, until the link expires or is revoked. The link includes what its creator can read, and stops working when its creator can no longer share.',
  file: 'Anyone with a link downloads the file, without an account, until the link expires or is revoked. The link includes what its creator can read, and stops working when its creator can no longer share.',
} as const;

const endings = [1, links.linkDays.default, 30, links.linkDays.max];
export const endingDays = endings.map(String);
const endingOptions = () => endings.map((days) => ({ value: String(days), label: sayDays(days) }));

/** The valid links, and the form to create one. For a project, the links to all its contents. */
export async function linkSection(
  place: SharePlace,
  { cursor, filled }: Omit<SectionOptions, 'problem'>,
): Promise<string> {
  const { visitor, thing, view } = place;
  const found = await linksOf(place, cursor);
  if (found === null) return '';
  const isProject = thing.kind === 'project';
  const columns = [
    ...(isProject ? [say('To')] : []),
    say('Created by'),
    say('Created'),
    say('Expires'),
    say('Downloads'),
    say('Change'),
  ];
  const list = dataTable(visitor.language, {
    caption: say('Active links, newest first.'),
    columns: cellColumns(columns),
    rows: found.data,
    pagination: {
      ...found.pagination,
      label: say('Older links'),
      parameter: 'links',
      isFirst: cursor === undefined,
    },
    empty: {
      icon: 'link',
      title: isProject
        ? say('No links in this project.')
        : thing.kind === 'folder'
          ? say('No links to this folder.')
          : say('No links to this file.'),
    },
  });
  return html`<h2 id="links">${say('Links')}</h2>
    <p>
      ${
        isProject
          ? say(
              'Anyone with a link can download the file or folder without an account. Create links on the page of a file or folder.',
            )
          : say(linkTexts[thing.kind])
      }
    </p>
    !${list} !${isProject || !view.mayShare('create') ? '' : newLinkForm(place, filled)}`;
}

function newLinkForm(place: SharePlace, filled: ShareFilled): string {
  const fields =
    select({
      name: 'days',
      label: say('Expires'),
      options: endingOptions(),
      chosen: [filled.days ?? String(links.linkDays.default)],
    }) +
    field({
      name: 'password',
      label: say('Password (optional)'),
      type: 'password',
      hint: say('At least {count} characters. Send it separately from the link.', {
        count: links.linkPasswordCharsMin,
      }),
      autocomplete: 'new-password',
      required: false,
      maxLength: 200,
    });
  return card({
    title: say('Create link'),
    isPadded: true,
    content: form({ action: `${pathOfThing(place)}/links`, submit: say('Create link'), fields }),
  });
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
  const locked = html`<span class="hint">${say('with a password')}</span>`;
  const to = html`<a href="${platformPath(org, `${kind}s`, entryId)}">${name}</a>`;
  const end = isoMilliseconds(expiresAt);
  return [
    ...(thing.kind === 'project' ? [to] : []),
    html`${maker.username}`,
    instant(isoMilliseconds(createdAt)),
    html`!${instant(end)} !${link.passwordHash === null ? '' : locked}`,
    lastOpenedAt === null
      ? say('never')
      : html`<div>
          ${say('{openedCount}, last', { openedCount: openedTimes(openedCount) })}
          !${instant(isoMilliseconds(lastOpenedAt))}
        </div>`,
    view.mayShare('delete')
      ? confirmedForm(say('Revoke'), {
          action: `${pathOfThing(place)}/links/revoke`,
          submit: say('Revoke link to {name}', { name }),
          label: say('Revoke link to {name} that expires {day}', { name, day: end.slice(0, 10) }),
          fields: hidden('link', id),
          dangerous: true,
        })
      : '',
  ];
}

function openedTimes(count: number): string {
  return sayCount(count, 'once', '{count} times');
}
