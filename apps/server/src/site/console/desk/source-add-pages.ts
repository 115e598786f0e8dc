import { html } from 'ghtml';
import { Type } from 'typebox';

import { closedObject } from '../../../foundation/closed-object.ts';
import { UploadedFile } from '../../../foundation/http/form-body.ts';
import {
  conflict,
  forbidden,
  internal,
  invalidField,
  notFound,
} from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import { defineRoute } from '../../../foundation/http/route.ts';
import type { ProblemError } from '../../../foundation/problem.ts';
import { deskActions, deskSources, requireDesk } from '../../../newsroom/desk/index.ts';
import { field, form, hidden, notice, select } from '../../shell/form-controls.ts';
import { say, sayCount } from '../../shell/words/say.ts';
import { card, rows } from '../components/parts.ts';
import type { PersonalPage } from '../console-route.ts';
import { defineMemberForm, defineMemberPage, signInPath } from '../console-route.ts';
import { visitorOf } from '../visitor.ts';
import type { DeskTools, DeskVisit } from './desk-frame.ts';
import {
  deskPage,
  enterDesk,
  formOf,
  formProperties,
  formState,
  refusalNotice,
  requireDone,
  staleForm,
} from './desk-frame.ts';
import type { Fetched } from './source-parts.ts';
import {
  fetchedCard,
  holdsOptions,
  holdsValues,
  requireFetch,
  sourcePath,
  tierOptions,
} from './source-parts.ts';

const newPath = '/desk/sources/new';
const text = (maxLength: number) => Type.Optional(Type.String({ maxLength }));
const FindForm = closedObject({ ...formProperties, url: text(2_000) });
const AddForm = closedObject({
  ...formProperties,
  url: text(2_000),
  name: text(200),
  owner: text(200),
  tier: Type.Optional(Type.Enum(['1', '2', '3', '4'])),
  holds: Type.Optional(Type.Enum([...holdsValues])),
  reason: text(500),
});
const ImportForm = closedObject({ opml: Type.Optional(UploadedFile), reason: text(500) });
/** Of one import: each source is one decision. */
const importedMax = 500;
const importBytesMax = 1024 * 1024;

/** Adding sources: by a pasted address, or a list of another reader. */
export function sourceAddPages(tools: DeskTools): readonly RouteDeclaration[] {
  const problems = [forbidden, notFound, conflict, staleForm];
  return [
    defineMemberPage(tools, {
      path: newPath,
      operationId: 'showNewSource',
      problems: [forbidden, notFound],
      show: async ({ visitor }) => newPage(await enterDesk(tools, visitor), {}),
    }),
    defineMemberForm(tools, {
      path: '/desk/sources/find',
      operationId: 'findSourceOnDesk',
      body: FindForm,
      problems,
      show: async ({ visitor, body }) => findSource(await enterDesk(tools, visitor), body.url ?? ''),
      refused: async ({ visitor, body }, problem) =>
        newPage(await enterDesk(tools, visitor), { problem, url: body.url }),
    }),
    defineMemberForm(tools, {
      path: '/desk/sources/add',
      operationId: 'addSourceOnDesk',
      body: AddForm,
      problems,
      show: async ({ visitor, body }) => addSource(await enterDesk(tools, visitor), body),
      refused: async ({ visitor, body }, problem) =>
        newPage(await enterDesk(tools, visitor), { problem, url: body.url }),
    }),
    importForm(tools),
    exportRoute(tools),
  ];
}

interface NewPageOptions {
  readonly problem?: ProblemError;
  readonly url?: string | undefined;
  readonly fetched?: Fetched;
  /** Feeds that the page at the address names. */
  readonly feeds?: readonly { readonly feedUrl: string; readonly title: string }[];
  readonly imported?: string;
}

function requireCreate({ actor }: DeskVisit): void {
  requireDesk(actor, deskActions.sources.create, 'sources', 'new');
}

async function newPage(visit: DeskVisit, options: NewPageOptions): Promise<PersonalPage> {
  requireCreate(visit);
  const { fetched, feeds, imported, problem, url = '' } = options;
  return deskPage(visit, {
    section: 'sources',
    title: say('Add source'),
    main: html`!${imported === undefined ? '' : notice('good', html`${imported}`)}
    !${refusalNotice(visit, problem)}
    !${card({
      title: say('Address'),
      text: say('Enter the address of a feed or website. Daybook finds its feeds. Nothing is stored yet.'),
      isPadded: true,
      content: form({
        action: '/desk/sources/find',
        submit: say('Find feeds'),
        fields: html`!${formState(visit)}!${field({ name: 'url', label: say('Address'), value: url, maxLength: 2_000, autocomplete: 'off' })}`,
      }),
    })}
    !${feeds === undefined ? '' : feedsCard(visit, feeds)}
    !${fetched === undefined ? '' : fetchedCard(fetched)}
    !${fetched?.preview.ok === true ? addCard(visit, fetched.url, fetched.preview.value.feed.title ?? '') : ''}
    !${importCard(visit)}`,
  });
}

function feedsCard(visit: DeskVisit, feeds: NonNullable<NewPageOptions['feeds']>): string {
  return card({
    title: say('Feeds found'),
    content: rows(
      feeds.map(({ feedUrl, title }) => ({
        title: title === '' ? feedUrl : title,
        text: html`${feedUrl}`,
        end: form({
          action: '/desk/sources/find',
          submit: say('Preview'),
          label: `${say('Preview')}: ${feedUrl}`,
          fields: html`!${formState(visit)}!${hidden('url', feedUrl)}`,
          small: true,
        }),
      })),
    ),
  });
}

function addCard(visit: DeskVisit, url: string, name: string): string {
  return card({
    title: say('Add this feed'),
    isPadded: true,
    content: form({
      action: '/desk/sources/add',
      submit: say('Add source'),
      fields: html`!${formState(visit)}!${hidden('url', url)}
      !${field({ name: 'name', label: say('Name'), value: name.slice(0, 200), maxLength: 200, autocomplete: 'off' })}
      !${field({ name: 'owner', label: say('Owner'), hint: say('Sources of one owner count as one independent source. Leave empty to use the name of the source.'), required: false, maxLength: 200, autocomplete: 'off' })}
      !${select({ name: 'tier', label: say('Tier'), options: tierOptions(), chosen: ['3'] })}
      !${select({ name: 'holds', label: say('Hold new entries'), options: holdsOptions(), chosen: ['none'] })}
      !${field({ name: 'reason', label: visit.words.fields.privateReason, maxLength: 500, autocomplete: 'off' })}`,
    }),
  });
}

function importCard(visit: DeskVisit): string {
  return card({
    title: say('Import OPML'),
    text: say('A list from another feed reader. Existing sources are not changed.'),
    isPadded: true,
    content: form({
      action: '/desk/sources/import',
      submit: say('Import'),
      multipart: true,
      fields: html`!${field({ name: 'opml', label: say('OPML file'), type: 'file', accept: ['.opml', '.xml', 'text/x-opml', 'text/xml'] })}
        <div class="field">
          <label
            >${visit.words.fields.privateReason} <input name="reason" maxlength="500" autocomplete="off"
          /></label>
        </div>`,
    }),
  });
}

/** The list at the address; for a page, the feeds that it names. All requests pass the address guard. */
async function findSource(visit: DeskVisit, typed: string): Promise<PersonalPage> {
  requireCreate(visit);
  const { sources } = visit.tools.desk;
  const address = deskSources.feedAddressOf(
    /^[\w.-]+\.[a-z]{2,}(?:[/:]|$)/iu.test(typed.trim()) ? `https://${typed.trim()}` : typed,
  );
  if (address === null) throw invalidField('url', say('Enter an http or https address.'));
  const url = address.href;
  await requireFetch(visit);
  const inspected = await sources.inspect(deskSources.settingsFor(address, {}));
  if (!inspected.ok) return newPage(visit, { url, fetched: { url, preview: inspected } });
  const { value } = inspected;
  if (value.kind === 'page') return newPage(visit, { url, feeds: value.feeds });
  return newPage(visit, { url, fetched: { url, preview: { ok: true, value: value.preview } } });
}

async function addSource(
  visit: DeskVisit,
  body: {
    readonly url?: string;
    readonly name?: string;
    readonly owner?: string;
    readonly tier?: string;
    readonly holds?: (typeof holdsValues)[number];
    readonly reason?: string;
    readonly request?: string;
  },
): Promise<{ readonly to: string }> {
  const address = deskSources.feedAddressOf(body.url ?? '');
  if (address === null) throw invalidField('url', say('Enter an http or https address.'));
  const [name, owner] = [(body.name ?? '').trim(), (body.owner ?? '').trim()];
  const settings = deskSources.settingsFor(address, {
    ...(name !== '' && { name, owner: name }),
    ...(owner !== '' && { owner }),
    tier: Number(body.tier ?? '3') as deskSources.Source['tier'],
    holds: body.holds === undefined || body.holds === 'none' ? null : body.holds,
  });
  const id = visit.tools.desk.ids.next<'source'>();
  const { requestId, requestHash } = formOf(body);
  const reason = (body.reason ?? '').trim();
  const done = await visit.editor.sources?.addSource({ id, settings, reason, requestId, requestHash });
  if (done === undefined) throw invalidField('url', 'cannot be added');
  requireDone(visit.words, done);
  return { to: done.ok ? `${sourcePath(id)}?done=1` : '/desk/sources?done=1' };
}

function importForm(tools: DeskTools): RouteDeclaration {
  return defineMemberForm(tools, {
    path: '/desk/sources/import',
    operationId: 'importSourcesOnDesk',
    body: ImportForm,
    bodyFormat: 'multipart',
    bodyBytesMax: importBytesMax,
    problems: [forbidden, notFound, conflict],
    show: async ({ visitor, body }) => {
      const visit = await enterDesk(tools, visitor);
      requireCreate(visit);
      if (body.opml === undefined) throw invalidField('opml', say('Choose a file'));
      const read = tools.desk.sources.readOpml(body.opml.toString('utf8'));
      if (!read.ok) throw invalidField('opml', say('The file is not in OPML format.'));
      return importSources(visit, read.value, (body.reason ?? '').trim());
    },
    refused: async ({ visitor }, problem) => newPage(await enterDesk(tools, visitor), { problem }),
  });
}

/** One decision for each source: an import that was interrupted is repeated, and adds the rest. */
async function importSources(
  visit: DeskVisit,
  {
    sources,
    unusable,
  }: { readonly sources: readonly deskSources.SourceSettings[]; readonly unusable: readonly string[] },
  reason: string,
): Promise<PersonalPage> {
  if (sources.length > importedMax)
    throw invalidField(
      'opml',
      say('The file has more than {count} feeds. Split it into several files.', { count: importedMax }),
    );
  let [added, known] = [0, 0];
  for (const settings of sources) {
    const id = visit.tools.desk.ids.next<'source'>();
    const done = await visit.editor.sources?.addSource({ id, settings, reason });
    if (done === undefined) break;
    if (done.ok) added += 1;
    else if (done.reason === 'known_source') known += 1;
    else requireDone(visit.words, done);
  }
  const parts = [
    sayCount(added, '{count} source added.', '{count} sources added.'),
    ...(known === 0 ? [] : [say('{count} already exist.', { count: known })]),
    ...(unusable.length === 0 ? [] : [say('{count} addresses cannot be used.', { count: unusable.length })]),
  ];
  return newPage(visit, { imported: parts.join(' ') });
}

function exportRoute(tools: DeskTools): RouteDeclaration {
  return defineRoute({
    method: 'GET',
    path: '/desk/sources/export',
    operationId: 'exportSourcesFromDesk',
    summary: 'A file.',
    tag: 'pages',
    surface: tools.pages,
    responses: {
      200: {
        description: 'The sources as OPML.',
        schema: Type.String(),
        contentType: 'text/x-opml; charset=utf-8',
      },
      303: { description: 'Sign in first.' },
    },
    problems: [forbidden, notFound, internal],
    handle: async ({ request, reply }) => {
      reply.header('cache-control', 'no-store');
      const visitor = await visitorOf(tools.identity, request);
      if (visitor === null) return reply.code(303).header('location', signInPath(request)).send();
      requireDesk((await enterDesk(tools, visitor)).actor, deskActions.sources.read, 'sources');
      const { opml } = await tools.desk.sources.exportOpml();
      return reply
        .headers({
          'content-type': 'text/x-opml; charset=utf-8',
          'content-disposition': 'attachment; filename="daybook-sources.opml"',
        })
        .send(opml);
    },
  });
}
