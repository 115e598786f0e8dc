#!/usr/bin/env node
import { runDaybook } from '../program.ts';
import { systemHost } from '../system-host.ts';

// The reader of the pipe, such as `head`, has closed it.
process.stdout.on('error', () => process.exit(0));
process.removeAllListeners('warning');
process.exitCode = await runDaybook(process.argv.slice(2), systemHost());
