import { html } from 'ghtml';

import { ProblemError, sentenceOf } from '../../../foundation/problem.ts';
import type { folders } from '../../../storage/index.ts';
import { say, sayCount, sayKnown } from '../../shell/words/say.ts';
import { cellColumns, dataTable } from '../components/data-table.ts';
import { badge, buttonLink } from '../components/parts.ts';
import type { PersonalPage } from '../console-route.ts';
import { platformPage, platformPath } from '../platform/platform-frame.ts';
import type { Visitor } from '../visitor.ts';
import type { StorageTools } from './storage-frame.ts';

type SelectedEntry = Pick<folders.Entry, 'id' | 'kind' | 'name'>;

export interface EntryResult {
  readonly entry: SelectedEntry;
  /** Null if the action succeeded. */
  readonly problem: ProblemError | null;
}

/** Each entry on its own, in order: a refused one does not stop the others. */
export async function applyToEach<Entry extends SelectedEntry>(
  entries: readonly Entry[],
  work: (entry: Entry) => Promise<unknown>,
): Promise<readonly EntryResult[]> {
  const results: EntryResult[] = [];
  for (const entry of entries) {
    try {
      await work(entry);
      results.push({ entry, problem: null });
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      results.push({ entry, problem: error });
    }
  }
  return results;
}

/** For results of which at least one failed. */
export async function resultPage(
  tools: StorageTools,
  visitor: Visitor,
  {
    org,
    done,
    isGone,
    back,
    results,
  }: {
    readonly org: string;
    /** The result of the others. */
    readonly done: string;
    /** Entries that succeeded have no page. */
    readonly isGone: boolean;
    readonly back: { readonly href: string; readonly label: string };
    readonly results: readonly EntryResult[];
  },
): Promise<PersonalPage> {
  const failed = results.filter(({ problem }) => problem !== null).length;
  return platformPage(tools, visitor, {
    org,
    tab: 'projects',
    title: sayCount(failed, '1 entry was not changed', '{count} entries were not changed'),
    actions: buttonLink({ ...back, icon: 'folder', kind: 'primary' }),
    main: dataTable(visitor.language, {
      caption: say('Result for each file and folder'),
      columns: cellColumns([say('Name'), say('Result'), say('Reason')]),
      rows: results.map(({ entry: { id, kind, name }, problem }) => [
        problem === null && isGone
          ? html`${name}`
          : html`<a href="${platformPath(org, `${kind}s`, id)}">${name}</a>`,
        problem === null ? badge('good', done) : badge('bad', say('Not changed')),
        problem === null ? '' : html`${sayKnown(sentenceOf(problem))}`,
      ]),
      empty: { icon: 'file', title: '' },
    }),
  });
}
