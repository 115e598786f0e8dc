import { readConfig } from '../../config/config.ts';
import { parseId } from '../../foundation/ids.ts';
import type { EditorDesk } from '../../newsroom/index.ts';
import { withEditorDesk } from '../../wiring/newsroom.ts';
import { UsageError, printResult } from '../command-line.ts';
import { reasonFault } from './correct-record.ts';

interface ReviewOptions {
  readonly json: boolean;
  readonly reason?: string | undefined;
}

/** Lists entries that wait for an editor, or accepts or rejects one of them. */
export async function reviewEntries(
  [decision, id, ...rest]: readonly string[],
  { json, reason }: ReviewOptions,
): Promise<void> {
  const config = readConfig(process.env);
  if (decision === undefined) return withEditorDesk(config, (desk) => listReviews(desk, json));
  if ((decision !== 'accept' && decision !== 'reject') || id === undefined || rest.length > 0)
    throw new UsageError();
  const entryId = parseId<'item'>(id);
  if (!entryId.ok) throw new Error(`${id} is not an id. Use an id from daybook newsroom review.`);
  const stated = reason?.trim() ?? '';
  if (decision === 'reject' && stated === '')
    throw new Error('daybook newsroom review reject: --reason "…" is required. It is published.');
  await withEditorDesk(config, async (desk) => {
    const done =
      decision === 'accept'
        ? await desk.acceptEntry(entryId.value)
        : await desk.rejectEntry({ id: entryId.value, reason: stated });
    if (!done.ok)
      throw new Error(done.reason === 'invalid_reason' ? reasonFault : `No open review of ${id}.`);
    console.log(`${decision}ed: ${id}, ${effects[decision][done.value]}`);
  });
}

const effects = {
  accept: {
    held: 'published by the next worker',
    unselected: 'selected if its score allows',
  },
  reject: { held: 'not published', unselected: 'withdrawn' },
} as const;

async function listReviews(desk: EditorDesk, json: boolean): Promise<void> {
  const reviews = await desk.reviews();
  const lines = reviews.map(({ id, state, sourceName, title, discoveredAt, removed }) => [
    `${discoveredAt}  ${state.padEnd(10)}  ${id}  ${sourceName}: ${title}`,
    ...removed.map((text) => `    instruction to machines: ${text}`),
  ]);
  printResult(json, reviews, lines.length === 0 ? ['Nothing to review.'] : lines.flat());
}
