import { setTimeout as delay } from 'node:timers/promises';

import type { EventStream, ReceivedEvent } from '../../../apps/server/test/event-stream.ts';
import { openEventStream } from '../../../apps/server/test/event-stream.ts';

/** An open page of an editor: it connects again, to any process, and continues after its last event. */
export interface OpenDesk {
  /** The places of its events, as received. */
  readonly places: readonly string[];
  readonly connections: number;
  readonly stop: () => Promise<void>;
}

export interface OpenDeskOptions {
  readonly cookie: string;
  /** What the page showed. */
  readonly start: string;
  /** The process for the next connection; null while none runs. */
  readonly nextPort: () => number | null;
  readonly onEvent: (place: string, atMs: number) => void;
}

/** `1700000000000.812-0-77`: the place is the part after the time. */
const placeOf = (id: string): string => id.slice(id.indexOf('.') + 1);

export function openDesk({ cookie, start, nextPort, onEvent }: OpenDeskOptions): OpenDesk {
  const places: string[] = [];
  let [lastId, connections] = ['', 0];
  const stopping = new AbortController();
  let stream: EventStream | null = null;
  const onReceived = ({ id, name, atMs }: ReceivedEvent): void => {
    if (name === 'reset') throw new Error('a page that was disconnected for seconds was asked to reload');
    if (id === '') return;
    lastId = id;
    const place = placeOf(id);
    places.push(place);
    onEvent(place, atMs);
  };
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const port = nextPort();
      if (port === null) {
        await delay(50);
        continue;
      }
      const headers = { cookie, ...(lastId !== '' && { 'last-event-id': lastId }) };
      const query = `?after=${encodeURIComponent(start)}`;
      stream = await openEventStream(port, `/desk/events${query}`, headers, onReceived).catch(() => null);
      if (stream?.status === 200) {
        connections += 1;
        if (stopping.signal.aborted) stream.close();
        await stream.ended;
      }
      await delay(100);
    }
  };
  const running = run();
  return {
    places,
    get connections() {
      return connections;
    },
    stop: async () => {
      stopping.abort();
      stream?.close();
      await running;
    },
  };
}
