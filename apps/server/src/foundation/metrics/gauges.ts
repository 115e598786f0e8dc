import type { Registry } from 'prom-client';
import { Counter, Gauge } from 'prom-client';

/** A number read on every scrape. */
export function registerGauge(registry: Registry, name: string, help: string, read: () => number): void {
  const metric: Gauge = new Gauge({ name, help, registers: [], collect: () => metric.set(read()) });
  registry.registerMetric(metric);
}

export interface GaugeDescription {
  readonly help: string;
  readonly label?: string;
}

/** A number, or numbers by the value of the label. */
export type GaugeReading = number | ReadonlyMap<string, number>;

/**
 * Gauges filled by one reading, all in the same response. A failed reading omits them and is counted, so that the
 * other metrics can still be read.
 */
export function registerGauges<Name extends string>(
  registry: Registry,
  described: Readonly<Record<Name, GaugeDescription>>,
  read: () => Promise<Readonly<Record<Name, GaugeReading>>>,
): void {
  const failures = failureCounter(registry);
  const gauges = Object.entries<GaugeDescription>(described);
  let reading: Promise<Readonly<Record<string, GaugeReading>> | null> | undefined;
  // All gauges are collected in the same turn: the first one starts the reading, the others wait for it.
  const readOnce = (): NonNullable<typeof reading> =>
    (reading ??= read()
      .catch(() => {
        failures.inc({ gauges: gauges[0]?.[0] ?? '' });
        return null;
      })
      .finally(() => {
        reading = undefined;
      }));
  for (const [name, { help, label }] of gauges) {
    const gauge: Gauge = new Gauge({
      name,
      help,
      labelNames: label === undefined ? [] : [label],
      registers: [registry],
      collect: async () => setGauge(gauge, (await readOnce())?.[name], label),
    });
  }
}

function setGauge(gauge: Gauge, value: GaugeReading | undefined, label: string | undefined): void {
  gauge.reset();
  if (typeof value === 'number') gauge.set(value);
  else if (value === undefined) {
    // Without a label a gauge that was reset shows 0.
    if (label === undefined) gauge.remove();
  } else for (const [of, number] of value) gauge.set({ [label ?? '']: of }, number);
}

const failuresName = 'daybook_metrics_reading_failures_total';

function failureCounter(registry: Registry): Counter {
  const known = registry.getSingleMetric(failuresName);
  return known instanceof Counter
    ? known
    : new Counter({
        name: failuresName,
        help: 'Failed readings of gauges, by the first gauge of the reading.',
        labelNames: ['gauges'],
        registers: [registry],
      });
}
