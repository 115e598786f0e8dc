import { closeSync, existsSync, mkdirSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { listRuns } from '../commit/journal-store.ts';
import type { QueueHandle } from '../queue/queue-database.ts';
import { escaped, htmlPage } from './html-page.ts';
import type { Move } from './move-store.ts';
import { movesOfRun } from './move-store.ts';

const notesPerPage = 500;
/** Of the text of a note before and after; the links lead to the whole of it. */
const shownChars = 3000;

/** The pages of a run below `.migration/moves`. */
export function movesPageName(run: string, number: number): string {
  return number === 1 ? `${run}.html` : `${run}-${number}.html`;
}

/** Lists every note of these runs from its old to its new place; the pages of undone runs are deleted. */
export function writeMoves(queue: QueueHandle, runs: readonly string[] | 'all'): void {
  if (queue.folder === null) return;
  const folder = join(queue.folder, 'moves');
  for (const { id, chunks } of listRuns(queue.database)) {
    if (runs !== 'all' && !runs.includes(id)) continue;
    removePages(folder, id);
    if (chunks > 0) writeRun(queue, folder, id);
  }
}

function removePages(folder: string, run: string): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) if (name.startsWith(run)) rmSync(join(folder, name));
}

function writeRun(queue: QueueHandle, folder: string, run: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  let after = 0;
  for (let number = 1; ; number += 1) {
    const moves = movesOfRun(queue.database, run, { after, limit: notesPerPage, charsMax: shownChars + 1 });
    const last = moves.at(-1);
    if (last === undefined) return;
    after = last.ordinal;
    const [more] = movesOfRun(queue.database, run, { after, limit: 1, charsMax: 1 });
    const next = more === undefined ? null : movesPageName(run, number + 1);
    const file = openSync(join(folder, movesPageName(run, number)), 'w', 0o600);
    try {
      writeSync(file, movesPage(moves, { run, number, next, root: queue.root }));
    } finally {
      closeSync(file);
    }
  }
}

function movesPage(
  moves: readonly Move[],
  page: {
    readonly run: string;
    readonly number: number;
    readonly next: string | null;
    readonly root: string;
  },
): string {
  const { run, number, next, root } = page;
  const previous = number === 1 ? '' : `<a href="${escaped(movesPageName(run, number - 1))}">Previous</a> `;
  const links = `<p>${previous}${next === null ? '' : `<a href="${escaped(next)}">Next</a>`}</p>`;
  const notes = moves.map((move) => moveSection(move, root)).join('\n');
  return htmlPage(
    `Notes of run ${run}`,
    `<h1>Notes of run ${escaped(run)}</h1>${links}<p><a href="../report.html">Report</a></p>\n${notes}\n${links}`,
  );
}

function moveSection(move: Move, root: string): string {
  const oldName = [move.source, ...move.headings].join(' › ');
  const old =
    move.root === ''
      ? `<code>${escaped(oldName)}</code>`
      : `<a href="${escaped(fileAddress(join(move.root, move.name)))}">${escaped(oldName)}</a>`;
  const now = `<a href="${escaped(fileAddress(join(root, move.path)))}">${escaped(move.path)}</a>`;
  return `<details><summary>${old} → ${now} (${escaped(move.target)})</summary><div class="pair"><div><h3>Before</h3><pre>${shownText(move.before)}</pre></div><div><h3>After</h3><pre>${shownText(move.after)}</pre></div></div></details>`;
}

function fileAddress(path: string): string {
  return pathToFileURL(path).href;
}

function shownText(text: string): string {
  return text.length > shownChars ? `${escaped(text.slice(0, shownChars))} …` : escaped(text);
}
