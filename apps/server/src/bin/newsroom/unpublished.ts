import { readConfig } from '../../config/config.ts';
import { createCalendarClock } from '../../foundation/clock.ts';
import { parseId } from '../../foundation/ids.ts';
import { createPublicationDesk } from '../../newsroom/index.ts';
import { withDatabase } from '../../wiring/connections.ts';
import { UsageError, printResult, reportFindings } from '../command-line.ts';

type Desk = ReturnType<typeof createPublicationDesk>;

const outcomes = ['failed', 'held', 'declined'] as const;
const states = ['waiting', ...outcomes] as const;

export async function listUnpublished(state: string | undefined, json: boolean): Promise<void> {
  const wanted = state === undefined ? states.filter((one) => one !== 'declined') : oneOf(states, state);
  const entries = await withDesk((desk) => desk.unpublished([wanted].flat()));
  const lines = entries.map(
    ({ id, state: is, reason, sourceName, title, discoveredAt }) =>
      `${discoveredAt}  ${is.padEnd(8)}  ${id}  ${sourceName}: ${title}${reason === null ? '' : `\n    ${reason}`}`,
  );
  printResult(json, entries, lines.length === 0 ? ['Every entry is published.'] : lines);
}

export async function retryUnpublished(which: string | undefined): Promise<void> {
  if (which === undefined) throw new UsageError();
  const id = parseId<'item'>(which);
  const request = id.ok ? { id: id.value } : { outcome: oneOf(outcomes, which) };
  const count = await withDesk((desk) => desk.retry(request));
  console.log(
    count === 0
      ? `Nothing to retry: ${which} matches no entry with an outcome.`
      : `${count === 1 ? '1 entry' : `${count} entries`} will be published by the next worker.`,
  );
}

export async function verifyNewsroom(): Promise<void> {
  reportFindings(await withDesk((desk) => desk.verify()));
}

function oneOf<Known extends string>(known: readonly Known[], text: string): Known {
  const found = known.find((one) => one === text);
  if (found === undefined)
    throw new Error(`Unknown state or id ${text}. Use an entry’s id or one of: ${known.join(', ')}`);
  return found;
}

async function withDesk<Value>(work: (desk: Desk) => Promise<Value>): Promise<Value> {
  const config = readConfig(process.env);
  const clock = createCalendarClock(config.simulatedTime);
  return withDatabase(config, { name: 'daybook newsroom' }, (database) =>
    work(createPublicationDesk({ database, clock })),
  );
}
