#!/usr/bin/env node
import './node-version.ts';

const [{ classify }, { runAndExit }] = await Promise.all([
  import('../classify/classify.ts'),
  import('./system-host.ts'),
]);
await runAndExit('scan', classify);
