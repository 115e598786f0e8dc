#!/usr/bin/env node
import { runDaybook } from '../program.ts';
import { systemHost } from '../system-host.ts';

// Whoever reads has seen enough, as `head` has.
process.stdout.on('error', () => process.exit(0));
process.removeAllListeners('warning');
process.exitCode = await runDaybook(process.argv.slice(2), systemHost());
