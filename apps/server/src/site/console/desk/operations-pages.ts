import { html } from 'ghtml';
import { Type } from 'typebox';

import packageFile from '../../../../package.json' with { type: 'json' };
import type { Backup } from '../../../foundation/backups/backup-store.ts';
import { readArchiving, readBackups } from '../../../foundation/backups/backup-store.ts';
import { closedObject } from '../../../foundation/closed-object.ts';
import { readDatabaseBytes } from '../../../foundation/database/database-size-store.ts';
import type { EngineNumbers } from '../../../foundation/engine/engine-numbers.ts';
import { readEngineNumbers } from '../../../foundation/engine/engine-numbers.ts';
import type { FailedRun } from '../../../foundation/engine/workflow-history-store.ts';
import { listFailedRuns, retryFailedRun } from '../../../foundation/engine/workflow-history-store.ts';
import { forbidden, notFound } from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import { deskActions, requireDesk } from '../../../newsroom/desk/index.ts';
import { quotas } from '../../../storage/index.ts';
import { form, notice } from '../../shell/form-controls.ts';
import { sizeIn } from '../../shell/words/counts.ts';
import { pageLanguage, say, sayKnown, sayList } from '../../shell/words/say.ts';
import { dataTable } from '../components/data-table.ts';
import { ago } from '../components/moments.ts';
import { badge, card, facts } from '../components/parts.ts';
import type { PersonalPage } from '../console-route.ts';
import { defineMemberForm, defineMemberPage } from '../console-route.ts';
import type { DeskTools, DeskVisit } from './desk-frame.ts';
import { deskPage, enterDesk } from './desk-frame.ts';
import { healthText } from './source-parts.ts';

const OperationsQuery = closedObject({ retried: Type.Optional(Type.Enum(['yes', 'no'])) });
const RunParams = Type.Object({ run: Type.String({ minLength: 1, maxLength: 200 }) });

const runsMax = 50;
const backupsMax = 10;

/** The state of the installation, for those who run it, and retries of failed runs. */
export function operationsPages(tools: DeskTools): readonly RouteDeclaration[] {
  return [
    defineMemberPage(tools, {
      path: '/desk/operations',
      operationId: 'showOperations',
      query: OperationsQuery,
      problems: [forbidden, notFound],
      show: async ({ visitor, query }) => operationsPage(await enterDesk(tools, visitor), query.retried),
    }),
    defineMemberForm(tools, {
      path: '/desk/operations/runs/{run}/retry',
      operationId: 'retryRunOnDesk',
      params: RunParams,
      body: closedObject({}),
      problems: [forbidden, notFound],
      show: async ({ visitor, params }) => {
        const { actor } = await enterDesk(tools, visitor);
        requireDesk(actor, deskActions.operations.retry, 'operations');
        // Harmless when sent twice: only a failed run is queued again.
        const isRetried = await tools.desk.database
          .transaction()
          .execute((transaction) => retryFailedRun(transaction, params.run));
        return { to: `/desk/operations?retried=${isRetried ? 'yes' : 'no'}` };
      },
    }),
  ];
}

async function operationsPage(visit: DeskVisit, retried: 'yes' | 'no' | undefined): Promise<PersonalPage> {
  requireDesk(visit.actor, deskActions.operations.read, 'operations');
  const { database } = visit.tools.desk;
  const numbers = await readEngineNumbers(database);
  const runs = await listFailedRuns(database, runsMax);
  const backups = await readBackups(database, backupsMax);
  const said =
    retried === undefined
      ? ''
      : notice(
          retried === 'yes' ? 'good' : 'bad',
          html`${retried === 'yes' ? say('The run was queued again.') : say('The run was already retried or deleted.')}`,
        );
  return deskPage(visit, {
    section: 'operations',
    title: visit.words.sections.operations,
    lead: html`${say('Runs, queues, sources, storage, backups and versions. For a complete check, run daybook doctor.')}`,
    main: html`!${said} !${failedRuns(visit, runs)} !${await installation(visit, numbers)}
    !${queues(visit, numbers)} !${backupTable(visit, backups)}`,
  });
}

function failedRuns(visit: DeskVisit, runs: readonly FailedRun[]): string {
  const { visitor, tools } = visit;
  const now = tools.desk.clock.now();
  const mayRetry = visit.may(deskActions.operations.retry, 'operations');
  const retry = ({ id, workflow }: FailedRun): string =>
    form({
      action: `/desk/operations/runs/${encodeURIComponent(id)}/retry`,
      submit: say('Retry'),
      label: `${say('Retry')}: ${workflow}`,
      small: true,
    });
  return dataTable(visitor.language, {
    caption: say('Failed runs'),
    columns: [
      { label: say('Run'), place: 'main', cell: ({ id, workflow }) => html`${workflow}<small>${id}</small>` },
      // Errors may name addresses inside the network.
      ...(mayRetry
        ? [{ label: say('Error'), place: 'also' as const, cell: ({ error }: FailedRun) => html`${error}` }]
        : []),
      { label: say('Failed at'), place: 'low', cell: ({ failedAt }) => ago(failedAt, now, visitor.language) },
      ...(mayRetry ? [{ label: say('Retry'), place: 'end' as const, cell: retry }] : []),
    ],
    rows: runs,
    empty: {
      icon: 'check',
      title: say('No failed runs'),
      text: say('Workers retry failed runs for 3 days and delete them after 30 days.'),
    },
  });
}

async function installation({ tools }: DeskVisit, numbers: EngineNumbers): Promise<string> {
  const { database, sources: sourceDesk } = tools.desk;
  const sources = await sourceDesk.countByHealth();
  const stored = tools.files === null ? null : await quotas.readStoredBytes(database, 0);
  const archiving = await readArchiving(database);
  const archived = archiving.isFailing
    ? badge('bad', say('archiving failed'))
    : badge('good', say('archived'));
  return card({
    title: say('Installation'),
    content: facts([
      [
        say('Workers'),
        numbers.executorsAlive === 0
          ? badge('bad', say('No worker is running'))
          : html`${String(numbers.executorsAlive)}`,
      ],
      [
        say('Releases'),
        html`${say('Daybook {version}, Node {node}', { version: packageFile.version, node: process.versions.node })}`,
      ],
      [
        say('Sources by health'),
        html`${sayList([...sources].map(([health, count]) => `${healthText(health)}: ${count}`))}`,
      ],
      [say('Database size'), html`${sizeIn(pageLanguage(), await readDatabaseBytes(database))}`],
      [
        say('Member files'),
        stored === null ? '' : html`${sizeIn(pageLanguage(), stored.used + stored.reserved)}`,
      ],
      [say('WAL archive'), archiving.isOn ? archived : badge('off', say('not archived'))],
    ]),
    isPadded: true,
  });
}

function queues({ visitor }: DeskVisit, { queues: all, stranded }: EngineNumbers): string {
  const lost = stranded.reduce((sum, { count }) => sum + count, 0);
  return html`!${dataTable(visitor.language, {
    caption: say('Queues'),
    columns: [
      { label: say('Queue'), place: 'main', cell: ({ queue }) => html`${queue}` },
      { label: say('Waiting runs'), place: 'state', cell: ({ waiting }) => html`${String(waiting)}` },
      { label: say('Running'), place: 'also', cell: ({ running }) => html`${String(running)}` },
      {
        label: say('Longest wait'),
        place: 'also',
        cell: ({ lagSeconds }) => html`${lagSeconds.toFixed(0)} s`,
      },
    ],
    rows: all,
    empty: { icon: 'layers', title: say('No runs are waiting.') },
  })}
  !${lost === 0 ? '' : notice('bad', html`${say('Runs that no running worker supports: {count}', { count: lost })}`)}`;
}

function backupTable({ visitor, tools }: DeskVisit, backups: readonly Backup[]): string {
  const now = tools.desk.clock.now();
  return dataTable(visitor.language, {
    caption: say('Backups'),
    columns: [
      {
        label: say('Kind'),
        place: 'main',
        cell: ({ kind, label }) => html`${sayKnown(kind)}<small>${label}</small>`,
      },
      {
        label: say('Completed'),
        place: 'also',
        cell: ({ finishedAt }) => ago(finishedAt, now, visitor.language),
      },
      { label: say('Size'), place: 'low', cell: ({ bytes }) => html`${sizeIn(pageLanguage(), bytes)}` },
      {
        label: say('Result'),
        place: 'state',
        cell: ({ fault }) => (fault === null ? badge('good', say('succeeded')) : badge('bad', fault)),
      },
    ],
    rows: backups,
    empty: {
      icon: 'shield',
      title: say('No backups recorded'),
      text: say('See “Back up” in the operating guide.'),
    },
  });
}
