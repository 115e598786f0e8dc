#!/usr/bin/env node
import './node-version.ts';

const [{ classifyNote }, { runAndExit }] = await Promise.all([
  import('../notes/classify-note.ts'),
  import('./system-host.ts'),
]);
await runAndExit('all', classifyNote);
