import type { Registry } from 'prom-client';
import { collectDefaultMetrics, Gauge } from 'prom-client';

import packageFile from '../../../package.json' with { type: 'json' };

/** Processor, memory, descriptors and event loop of the process, and which release it runs. */
export function registerProcessMetrics(registry: Registry): void {
  collectDefaultMetrics({ register: registry });
  const gauge = new Gauge({
    name: 'daybook_build_info',
    help: '1; the labels are the versions of Daybook and Node.',
    labelNames: ['version', 'node'],
    registers: [registry],
  });
  gauge.set({ version: packageFile.version, node: process.versions.node }, 1);
}
