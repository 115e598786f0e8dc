import { readFileSync, writeSync } from 'node:fs';

import { picturePage } from './picture-page.ts';

// Runs in a sandbox: reads a GIF, JPEG or PNG file from standard input, writes a PDF with one page.
const page = picturePage(readFileSync(0));
for (let at = 0; at < page.length;) at += writeSync(1, page, at, Math.min(page.length - at, 65_536));
