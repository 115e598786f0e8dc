import type { Registry } from 'prom-client';
import { Gauge } from 'prom-client';

import packageFile from '../../../package.json' with { type: 'json' };

/** Which release a process runs. */
export function registerBuildInfo(registry: Registry): void {
  const gauge = new Gauge({
    name: 'daybook_build_info',
    help: '1, with the version of Daybook and of Node that the process runs.',
    labelNames: ['version', 'node'],
    registers: [registry],
  });
  gauge.set({ version: packageFile.version, node: process.versions.node }, 1);
}
