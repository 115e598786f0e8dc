import { readFileSync, writeSync } from 'node:fs';

import { htmlText } from './html-text.ts';
import { officeText } from './office-text.ts';

// Runs in a sandbox: reads a file of the format that its argument names from standard input, writes its text.
const readers = { html: htmlText, office: officeText } as const;

const format = process.argv[2];
if (format !== 'html' && format !== 'office') throw new Error('unknown format');
const text = Buffer.from(readers[format](readFileSync(0)));
// Not `process.stdout`: the process must not end before a slow reader has everything, nor when it leaves.
for (let at = 0; at < text.length;) at += writeSync(1, text, at, Math.min(text.length - at, 65_536));
