/** A first item of an event that every worker publishes at the same instant, in its own words. */
export interface PlantedItem {
  readonly key: string;
  readonly title: string;
  readonly summary: string;
  readonly url: string;
  readonly source: string;
  readonly event: number;
  /** After the start. */
  readonly dueMs: number;
}

/** Occurs only in the titles of planted events. */
export const plantedMark = 'laboratory in Lisba';
const eventsMax = 200;
const everyMs = 600;
const firstMs = 1_000;
const endings = ['insiders say', 'company confirms', 'official', 'exclusive'];

export function plantedItems(worker: number): PlantedItem[] {
  return Array.from({ length: eventsMax }, (_, event) => {
    const name = nameOf(event);
    return {
      key: `planted ${event} by ${worker}`,
      title: `Corva${name} opens ${plantedMark}${name} with Wanga${name}, ${endings[worker % endings.length]}`,
      summary: '',
      url: `https://outlet-${worker}.example/planted-${event}`,
      source: `Outlet ${worker}`,
      event,
      dueMs: firstMs + event * everyMs,
    };
  });
}

/** Letters only: figures would be compared as figures. */
function nameOf(event: number): string {
  const letters = 'bdfghklmnprstvz';
  return Array.from(String(event).padStart(3, '0'), (digit) => `${letters[Number(digit)] ?? 'x'}o`).join('');
}
