import { html } from 'ghtml';
import type { Static } from 'typebox';
import { Type } from 'typebox';

import { callers } from '../../../access/index.ts';
import { closedObject } from '../../../foundation/closed-object.ts';
import { forbidden, notFound } from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import type { Id } from '../../../foundation/ids.ts';
import { idForm } from '../../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../../foundation/instant.ts';
import type { ProblemError } from '../../../foundation/problem.ts';
import { deskActions, deskSources, requireDesk } from '../../../newsroom/desk/index.ts';
import { form, select } from '../../shell/form-controls.ts';
import { say } from '../../shell/words/say.ts';
import type { Column } from '../components/data-table.ts';
import { dataTable } from '../components/data-table.ts';
import { ago } from '../components/moments.ts';
import { beside, buttonLink, card, facts } from '../components/parts.ts';
import type { PersonalPage } from '../console-route.ts';
import { IdParams, defineMemberPage } from '../console-route.ts';
import { findOf } from '../platform/platform-frame.ts';
import type { DeskTools, DeskVisit } from './desk-frame.ts';
import {
  deskForm,
  deskPage,
  enterDesk,
  formOf,
  formProperties,
  formState,
  refusalNotice,
  requireDone,
} from './desk-frame.ts';
import { doneNotice, journalCard } from './journal-pages.ts';
import type { TypedOwner } from './source-owner.ts';
import { ownerCard, ownerForm } from './source-owner.ts';
import type { Fetched, TierEffect } from './source-parts.ts';
import {
  effectOf,
  fetchedCard,
  healthBadge,
  holdsOptions,
  holdsValues,
  percent,
  reasonField,
  registryOf,
  requireFetch,
  sourcePath,
  sourceProblem,
  tierOptions,
  weekly,
} from './source-parts.ts';

const ListQuery = closedObject({
  query: Type.Optional(Type.String({ maxLength: 200 })),
  cursor: Type.Optional(Type.String({ pattern: idForm.source })),
  done: Type.Optional(Type.Literal('1')),
});
const DoneQuery = closedObject({ done: Type.Optional(Type.Literal('1')) });
const reason = Type.Optional(Type.String({ maxLength: 500 }));
const StateForm = closedObject({ ...formProperties, reason });
const TestForm = closedObject(formProperties);
const TierForm = closedObject({
  ...formProperties,
  tier: Type.Enum(['1', '2', '3', '4']),
  reason,
  preview: Type.Optional(Type.Literal('1')),
});

const HoldsForm = closedObject({ ...formProperties, holds: Type.Enum([...holdsValues]), reason });

const pageMax = 50;

/** Sources with their health, and the decisions about one of them. */
export function sourcePages(tools: DeskTools): readonly RouteDeclaration[] {
  return [
    defineMemberPage(tools, {
      path: '/desk/sources',
      operationId: 'showDeskSources',
      query: ListQuery,
      problems: [forbidden, notFound],
      show: async ({ visitor, query }) => listPage(await enterDesk(tools, visitor), query),
    }),
    defineMemberPage(tools, {
      path: '/desk/sources/{id}',
      operationId: 'showDeskSource',
      params: IdParams,
      query: DoneQuery,
      problems: [forbidden, notFound],
      show: async ({ visitor, params, query }) =>
        sourcePage(await enterDesk(tools, visitor), params.id, { isDone: query.done !== undefined }),
    }),
    stateForm(tools, 'pause'),
    stateForm(tools, 'resume'),
    tierForm(tools),
    holdsForm(tools),
    ownerForm(tools, sourcePage),
    testForm(tools),
  ];
}

async function listPage(visit: DeskVisit, asked: Static<typeof ListQuery>): Promise<PersonalPage> {
  const { words, tools, visitor, actor, may } = visit;
  requireDesk(actor, deskActions.sources.read, 'sources');
  const { sources, database, clock } = tools.desk;
  const { query, cursor } = findOf(asked);
  const found = await sources.readPage({
    ...(query !== undefined && { query }),
    ...(cursor !== undefined && { afterId: cursor }),
    countMax: pageMax + 1,
  });
  const shown = found.slice(0, pageMax);
  const now = clock.now();
  const habits = await deskSources.readSourceHabits(
    database,
    now,
    shown.map(({ id }) => id),
  );
  const listed = shown.map((source) => ({ source, habits: habits.get(source.id) }));
  return deskPage(visit, {
    section: 'sources',
    title: words.sections.sources,
    lead: html`${say('The sources that workers poll, with their status and recent entries.')}`,
    actions: html`!${may(deskActions.sources.create, 'sources', 'new') ? buttonLink({ href: '/desk/sources/new', label: say('Add source'), kind: 'primary' }) : ''}
    !${buttonLink({ href: '/desk/sources/export', label: say('Export OPML'), icon: 'download' })}`,
    main: html`!${await doneNotice(visit, asked.done !== undefined)}
    !${dataTable(visitor.language, {
      caption: words.sections.sources,
      columns: listColumns(visit, now),
      rows: listed,
      search: { label: say('Find by name or address'), query },
      pagination: {
        hasMore: found.length > pageMax,
        nextCursor: found.length > pageMax ? (shown.at(-1)?.id ?? null) : null,
        ...(query !== undefined && { query: { query } }),
        isFirst: cursor === undefined,
      },
      empty: {
        icon: 'globe',
        title: query === undefined ? say('No sources yet.') : say('No sources match.'),
      },
    })}`,
  });
}

interface ListedSource {
  readonly source: deskSources.Source;
  readonly habits: deskSources.SourceHabits | undefined;
}

function listColumns(visit: DeskVisit, now: EpochMicroseconds): readonly Column<ListedSource>[] {
  const { visitor } = visit;
  return [
    {
      label: say('Source'),
      place: 'main',
      cell: ({ source }) =>
        html`<a class="name" href="${sourcePath(source.id)}">${source.name}</a>
          <p class="hint">${sourceProblem(visit, source)}</p>`,
    },
    { label: say('Health'), place: 'state', cell: ({ source }) => healthBadge(visit, source) },
    { label: say('Tier'), place: 'low', cell: ({ source }) => String(source.tier) },
    {
      label: say('Last success'),
      place: 'also',
      cell: ({ source }) => ago(source.health.succeededAt, now, visitor.language),
    },
    {
      label: say('Next poll'),
      place: 'low',
      cell: ({ source }) =>
        source.state === 'active' ? ago(source.health.dueAt, now, visitor.language) : '–',
    },
    { label: say('This week (usual week)'), place: 'also', cell: (row) => html`${weekly(row.habits)}` },
    {
      label: say('Selected'),
      place: 'low',
      cell: (row) => html`${percent(row.habits?.selectedShare ?? null)}`,
    },
    {
      label: say('Withdrawn'),
      place: 'low',
      cell: (row) => html`${percent(row.habits?.withdrawnShare ?? null)}`,
    },
  ];
}

interface SourcePageOptions {
  readonly isDone?: boolean;
  readonly problem?: ProblemError;
  readonly typedReason?: string | undefined;
  readonly typedOwner?: TypedOwner;
  /** The result of a test fetch. */
  readonly fetched?: Fetched;
  readonly effect?: TierEffect;
}

async function requireSource(visit: DeskVisit, id: string): Promise<deskSources.Source> {
  requireDesk(visit.actor, deskActions.sources.read, 'sources', id);
  const source = await visit.tools.desk.sources.read(id as Id<'source'>);
  if (source === null || source.state === 'removed') throw callers.notFoundOrHidden();
  return source;
}

async function sourcePage(visit: DeskVisit, id: string, options: SourcePageOptions): Promise<PersonalPage> {
  const { tools, may } = visit;
  const source = await requireSource(visit, id);
  const now = tools.desk.clock.now();
  const habits = await deskSources.readSourceHabits(tools.desk.database, now, [source.id]);
  const mayUpdate = may(deskActions.sources.update, 'sources', id);
  return deskPage(visit, {
    section: 'sources',
    title: source.name,
    main: html`!${await doneNotice(visit, options.isDone === true, sourcePath(id))}
    !${refusalNotice(visit, options.problem)}
    !${options.fetched === undefined ? '' : fetchedCard(options.fetched)}
    !${beside(
      html`!${healthCard(visit, source, habits.get(source.id))}
      !${await journalCard(visit, id, { back: sourcePath(id) })}`,
      mayUpdate
        ? html`!${stateCard(visit, source)} !${testCard(visit, source)} !${tierCard(visit, source, options)}
          !${holdsCard(visit, source)} !${await ownerCard(visit, source, options.typedOwner)}`
        : '',
    )}`,
  });
}

function healthCard(
  visit: DeskVisit,
  source: deskSources.Source,
  habits: deskSources.SourceHabits | undefined,
): string {
  const { visitor, tools } = visit;
  const now = tools.desk.clock.now();
  return card({
    title: say('Health'),
    action: healthBadge(visit, source),
    isPadded: true,
    content: facts([
      [say('Problem'), html`${sourceProblem(visit, source)}`],
      [say('Last success'), ago(source.health.succeededAt, now, visitor.language)],
      [say('Next poll'), source.state === 'active' ? ago(source.health.dueAt, now, visitor.language) : ''],
      [say('This week (usual week)'), html`${weekly(habits)}`],
      [say('Selected'), html`${percent(habits?.selectedShare ?? null)}`],
      [say('Withdrawn'), html`${percent(habits?.withdrawnShare ?? null)}`],
      [say('Owner'), html`${source.owner}`],
      [say('Syndication group'), html`${source.syndicate ?? ''}`],
      [say('Tier'), String(source.tier)],
      [say('Address'), html`<a href="${source.feedUrl}" rel="nofollow noreferrer">${source.feedUrl}</a>`],
      [say('Note'), html`${source.note}`],
    ]),
  });
}

function stateCard(visit: DeskVisit, source: deskSources.Source): string {
  const { words } = visit;
  const isActive = source.state === 'active';
  return card({
    title: isActive ? say('Pause') : say('Resume'),
    text: isActive
      ? say('A paused source is not polled. Its published items are not changed.')
      : say('The source is polled immediately.'),
    isPadded: true,
    content: form({
      action: `${sourcePath(source.id)}/${isActive ? 'pause' : 'resume'}`,
      submit: isActive ? say('Pause') : say('Resume'),
      fields: html`!${formState(visit, deskSources.versionOfSource(source))}!${reasonField(words.fields.privateReason)}`,
    }),
  });
}

function testCard(visit: DeskVisit, source: deskSources.Source): string {
  return card({
    title: say('Test fetch'),
    text: say('Requests the feed now and shows the entries that a poll would store. Nothing is stored.'),
    isPadded: true,
    content: form({
      action: `${sourcePath(source.id)}/test`,
      submit: say('Test fetch'),
      fields: formState(visit),
    }),
  });
}

function tierCard(
  visit: DeskVisit,
  source: deskSources.Source,
  { effect, typedReason = '' }: SourcePageOptions,
): string {
  const { words } = visit;
  return card({
    title: say('Tier'),
    text: say(
      'Items from less trusted sources need a higher score to be selected. Published items are not changed.',
    ),
    isPadded: true,
    content: html`!${effect === undefined ? '' : effectOf(effect)}
    !${form({
      action: `${sourcePath(source.id)}/tier`,
      submit: say('Change tier'),
      fields: html`!${formState(visit, deskSources.versionOfSource(source))}
        !${select({ name: 'tier', label: say('Tier'), options: tierOptions(), chosen: [String(effect?.tier ?? source.tier)] })}
        !${reasonField(words.fields.privateReason, typedReason)}
        <button type="submit" name="preview" value="1" class="quiet" formnovalidate>
          ${say('Preview last week')}
        </button>`,
    })}`,
  });
}

function holdsCard(visit: DeskVisit, source: deskSources.Source): string {
  return card({
    title: say('Hold new entries'),
    text: say('Held entries stay in the queue until an editor releases them.'),
    isPadded: true,
    content: form({
      action: `${sourcePath(source.id)}/holds`,
      submit: say('Change'),
      fields: html`!${formState(visit, deskSources.versionOfSource(source))}
      !${select({ name: 'holds', label: say('Hold new entries'), options: holdsOptions(), chosen: [source.holds ?? 'none'] })}
      !${reasonField(visit.words.fields.privateReason)}`,
    }),
  });
}

const trimmed = (text = ''): string => text.trim();

function stateForm(tools: DeskTools, action: 'pause' | 'resume'): RouteDeclaration {
  return deskForm(
    tools,
    { path: `/desk/sources/{id}/${action}`, operationId: `${action}SourceOnDesk`, body: StateForm },
    async (visit, id, body) => {
      const sources = registryOf(visit);
      const request = { id: id as Id<'source'>, reason: trimmed(body.reason), ...formOf(body) };
      requireDone(
        visit.words,
        await (action === 'pause' ? sources.pauseSource(request) : sources.resumeSource(request)),
      );
      return { to: `${sourcePath(id)}?done=1` };
    },
    (visit, id, _body, problem) => sourcePage(visit, id, { problem }),
  );
}

function tierForm(tools: DeskTools): RouteDeclaration {
  return deskForm(
    tools,
    { path: '/desk/sources/{id}/tier', operationId: 'changeTierOnDesk', body: TierForm },
    async (visit, id, body) => {
      const tier = Number(body.tier) as deskSources.Source['tier'];
      const source = await requireSource(visit, id);
      if (body.preview !== undefined) {
        requireDesk(visit.actor, deskActions.sources.update, 'sources', id);
        const now = tools.desk.clock.now();
        const judged = await deskSources.readTierEffect(tools.desk, source, { tier, now });
        return sourcePage(visit, id, { effect: { tier, judged }, typedReason: body.reason });
      }
      const request = { id: source.id, tier, reason: trimmed(body.reason), ...formOf(body) };
      requireDone(visit.words, await registryOf(visit).changeTier(request));
      return { to: `${sourcePath(id)}?done=1` };
    },
    (visit, id, body, problem) => sourcePage(visit, id, { problem, typedReason: body.reason }),
  );
}

function holdsForm(tools: DeskTools): RouteDeclaration {
  return deskForm(
    tools,
    { path: '/desk/sources/{id}/holds', operationId: 'changeHoldsOnDesk', body: HoldsForm },
    async (visit, id, body) => {
      const holds = body.holds === 'none' ? null : body.holds;
      const request = { id: id as Id<'source'>, holds, reason: trimmed(body.reason), ...formOf(body) };
      requireDone(visit.words, await registryOf(visit).changeHolds(request));
      return { to: `${sourcePath(id)}?done=1` };
    },
    (visit, id, _body, problem) => sourcePage(visit, id, { problem }),
  );
}

/** Without an effect, so without an entry in the journal. */
function testForm(tools: DeskTools): RouteDeclaration {
  return deskForm(
    tools,
    { path: '/desk/sources/{id}/test', operationId: 'testSourceOnDesk', body: TestForm },
    async (visit, id) => {
      requireDesk(visit.actor, deskActions.sources.update, 'sources', id);
      const source = await requireSource(visit, id);
      await requireFetch(visit);
      const preview = await tools.desk.sources.preview(source, source);
      return sourcePage(visit, id, { fetched: { url: source.feedUrl, preview } });
    },
  );
}
