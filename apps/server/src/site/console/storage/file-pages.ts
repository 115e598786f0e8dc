import { html } from 'ghtml';
import { Type } from 'typebox';

import { forbidden, invalidCursor, notFound } from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import { isoMilliseconds } from '../../../foundation/instant.ts';
import type { ProblemError } from '../../../foundation/problem.ts';
import type { StorageRequest } from '../../../storage/index.ts';
import { contents, folders } from '../../../storage/index.ts';
import { confirmedForm, field, form, instant, notice, problemNotice } from '../../shell/form-controls.ts';
import { say, sayHtml } from '../../shell/words/say.ts';
import { cellColumns, dataTable } from '../components/data-table.ts';
import { buttonLink, facts } from '../components/parts.ts';
import type { PersonalPage } from '../console-route.ts';
import { defineMemberForm, defineMemberPage } from '../console-route.ts';
import { NumberParams, PageLinkQuery, platformPage, platformPath } from '../platform/platform-frame.ts';
import type { Visitor } from '../visitor.ts';
import { filePreview } from './file-preview.ts';
import type { StorageTools } from './storage-frame.ts';
import {
  ThingParams,
  breadcrumbs,
  readableSize,
  requireOf,
  shareLink,
  storageRequest,
  tabOf,
} from './storage-frame.ts';

const problems = [forbidden, notFound];

/** One file: its details, versions, and download links. */
export function filePages(tools: StorageTools): readonly RouteDeclaration[] {
  return [onePage(tools), restoreForm(tools)];
}

function onePage(tools: StorageTools): RouteDeclaration {
  return defineMemberPage(tools, {
    path: '/platform/{org}/files/{id}',
    operationId: 'showFile',
    params: ThingParams,
    query: PageLinkQuery,
    problems: [...problems, invalidCursor],
    show: async ({ visitor, params, query, request }) =>
      filePage(tools, visitor, storageRequest(visitor, request), { ...params, ...query }),
  });
}

function restoreForm(tools: StorageTools): RouteDeclaration {
  return defineMemberForm(tools, {
    path: '/platform/{org}/files/{id}/versions/{number}',
    operationId: 'restoreVersionOnPage',
    params: Type.Object({ ...ThingParams.properties, ...NumberParams.properties }),
    problems: [...problems, ...contents.scanProblems],
    show: async ({ visitor, params: { org, id, number }, request }) => {
      const asked = storageRequest(visitor, request);
      await contents.restoreVersion(tools.files, { ...asked, fileId: id, version: number });
      return { to: platformPath(org, 'files', id) };
    },
  });
}

interface FileOptions {
  readonly org: string;
  readonly id: string;
  readonly cursor?: string;
  readonly problem?: ProblemError;
  readonly filled?: string;
}

export async function filePage(
  tools: StorageTools,
  visitor: Visitor,
  asked: StorageRequest,
  { org, id, cursor, problem, filled }: FileOptions,
): Promise<PersonalPage> {
  const view = await folders.viewFile(tools.files, { ...asked, fileId: id });
  requireOf(org, view.project);
  const { file, may } = view;
  const here = platformPath(org, 'files', id);
  const name = field({
    name: 'name',
    label: say('Name'),
    value: filled ?? file.name,
    autocomplete: 'off',
    problem,
  });
  const changes = [
    may('update')
      ? html`<h2>${say('Rename')}</h2>
          !${form({ action: here, submit: say('Rename'), fields: name })}`
      : '',
    may('delete')
      ? confirmedForm(say('Delete file'), {
          action: `${here}/remove`,
          submit: say('Move {name} to trash', { name: file.name }),
          dangerous: true,
        })
      : '',
  ];
  const { previewUrl } = tools.files.settings;
  const page = await platformPage(tools, visitor, {
    org,
    tab: tabOf(view),
    title: file.name,
    crumbs: breadcrumbs(org, view),
    actions: shareLink(here, view) + downloadLink(tools, asked, here, file),
    main: html`!${problemNotice(problem)} !${scanNotice(file)} !${await filePreview(tools, asked, here, file)}
    !${factsOf(file)} !${await versionsOf(tools, asked, { here, view, cursor, language: visitor.language })}
    !${changes.join('\n')}`,
  });
  return { ...page, ...(previewUrl !== null && { pictureSources: [previewUrl] }) };
}

function downloadLink(
  { files }: StorageTools,
  { caller }: StorageRequest,
  here: string,
  { content }: folders.Entry,
): string {
  if (content === null || !contents.isReadableBy(content, caller.accountId, files.settings)) return '';
  return buttonLink({ href: `${here}/content`, label: say('Download'), icon: 'download', kind: 'primary' });
}

function scanNotice({ content }: folders.Entry): string {
  if (content?.scanState === 'infected')
    return notice(
      'bad',
      html`!${sayHtml('{strong} The scanner found malware in this file, and downloads are blocked. Delete the file or upload a new version.', { strong: html`<strong>${say('Infected.')}</strong>` })}`,
    );
  if (content?.scanState === 'unscannable')
    return notice(
      'plain',
      html`!${sayHtml('{strong} The malware scanner could not read all of this file: it is too large, nested too deeply or encrypted. Others may not be able to download it.', { strong: html`<strong>${say('Not scannable.')}</strong>` })}`,
    );
  if (content?.scanState !== 'waiting') return '';
  return notice(
    'plain',
    html`!${sayHtml('{strong} Until the malware scan is complete, only the uploader can download this file.', { strong: html`<strong>${say('Not scanned yet.')}</strong>` })}`,
  );
}

function factsOf({ content, createdAt, updatedAt }: folders.Entry): string {
  if (content === null) return '';
  return facts([
    [say('Size'), html`${readableSize(content.size)}`],
    [
      say('Media type'),
      html`<code>${content.mediaType}</code
        >!${isOtherType(content) ? html`!${sayHtml(', detected as {code}', { code: html`<code>${content.detectedMediaType}</code>` })}` : ''}`,
    ],
    [say('Created'), instant(isoMilliseconds(createdAt))],
    [say('Changed'), instant(isoMilliseconds(updatedAt))],
    [
      say('SHA-256'),
      html`!${content.sha256 === null ? say('pending') : html`<code>${content.sha256.toString('hex')}</code>`}`,
    ],
  ]);
}

function isOtherType({ mediaType, detectedMediaType }: NonNullable<folders.Entry['content']>): boolean {
  return detectedMediaType !== null && detectedMediaType !== mediaType;
}

async function versionsOf(
  { files }: StorageTools,
  asked: StorageRequest,
  {
    here,
    view: { file, may, mayReadHistory },
    cursor,
    language,
  }: {
    readonly language: Visitor['language'];
    readonly here: string;
    readonly view: folders.EntryView & { readonly file: folders.Entry };
    readonly cursor: string | undefined;
  },
): Promise<string> {
  if (!mayReadHistory) return '';
  const page = cursor === undefined ? {} : { cursor };
  const found = await contents.listVersions(files, { ...asked, fileId: file.id, page }, (version) => version);
  const current = file.content?.version;
  const rows = found.data.map(({ version, size, createdAt }) => [
    html`<a href="${here}/content?version=${String(version)}">${say('Version {version}', { version })}</a>`,
    readableSize(size),
    instant(isoMilliseconds(createdAt)),
    version === current || !may('update')
      ? html`${version === current ? say('Current version') : ''}`
      : form({
          action: `${here}/versions/${version}`,
          submit: say('Restore'),
          label: say('Restore version {version}', { version }),
          small: true,
        }),
  ]);
  const caption = say('The latest 20 versions. Earlier versions are deleted after 90 days.');
  return (
    html`<h2>${say('Versions')}</h2>` +
    dataTable(language, {
      caption,
      columns: cellColumns([say('Version'), say('Size'), say('Stored'), say('Now')]),
      rows,
      pagination: { ...found.pagination, label: say('Older'), isFirst: cursor === undefined },
      empty: { icon: 'file', title: say('No versions.') },
    })
  );
}
