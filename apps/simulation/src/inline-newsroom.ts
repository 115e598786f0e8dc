import type { CalendarClock } from '../../server/src/foundation/clock.ts';
import type { Sweep } from '../../server/src/foundation/engine/engine-declarations.ts';
import { createLogger } from '../../server/src/foundation/logger.ts';
import type { IngestDeps, Source, SourceDesk } from '../../server/src/ingest/index.ts';
import { createSourceDesk, ingestWork } from '../../server/src/ingest/index.ts';
import type { NewsroomDeps } from '../../server/src/newsroom/index.ts';
import { newsroomWork } from '../../server/src/newsroom/index.ts';
import { InlineEngine } from './inline-engine.ts';

/** A worker's newsroom whose work runs when called. */
export class InlineNewsroom {
  readonly #engine: InlineEngine;
  readonly #desk: ReturnType<typeof createSourceDesk>;
  readonly #work: ReturnType<typeof newsroomWork>;
  readonly #sweeps: readonly Sweep[];
  readonly #clock: CalendarClock;

  constructor(deps: NewsroomDeps & IngestDeps, runningMax: number) {
    const { database, clock } = deps;
    const engine = new InlineEngine(database, runningMax);
    const poller = { transaction: engine.transaction, signal: new AbortController().signal };
    this.#clock = clock;
    this.#engine = engine;
    this.#desk = createSourceDesk({ ...deps, poller });
    const logger = createLogger('silent', 'history');
    this.#work = newsroomWork({ ...deps, logger });
    this.#sweeps = [...ingestWork({ ...deps, logger, domainsMax: 1 }).sweeps, ...(this.#work.sweeps ?? [])];
  }

  async addSources(sources: Parameters<SourceDesk['add']>[0]): Promise<void> {
    await this.#desk.add(sources);
  }

  sources(): Promise<readonly Source[]> {
    return this.#desk.list();
  }

  /** Sources of one group are polled at the same time. */
  async poll(groups: readonly (readonly Source[])[]): Promise<void> {
    for (const sources of groups) await this.#desk.poll(sources, () => {});
    await this.#sweep((name) => name === 'publish-entries');
  }

  async issueDue(): Promise<void> {
    for (const set of this.#work.editions ?? []) await this.#engine.reconcile(set, this.#clock.nowMs());
  }

  /** All sweeps except polling. */
  sweep(): Promise<void> {
    return this.#sweep((name) => name !== 'poll-sources');
  }

  async #sweep(isWanted: (name: string) => boolean): Promise<void> {
    const { transaction, enqueue } = this.#engine;
    const context = { epoch: 0, transaction, enqueue, signal: new AbortController().signal };
    for (const { name, run } of this.#sweeps) if (isWanted(name)) await run(context);
    await this.#engine.drain();
  }

  /** Runs each recurring task once. */
  async workOfTheHour(): Promise<void> {
    for (const { name, run } of this.#work.recurringTasks ?? []) await run(this.#engine.context(name));
  }
}
