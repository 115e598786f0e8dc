import { randomBytes, randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';

import { sql } from 'kysely';

import { systemClock } from '../../../apps/server/src/foundation/clock.ts';
import { connectDatabase } from '../../../apps/server/src/foundation/database/database.ts';
import type { Id } from '../../../apps/server/src/foundation/ids.ts';
import { createIdSource } from '../../../apps/server/src/foundation/ids.ts';
import { createEditorDesk } from '../../../apps/server/src/newsroom/index.ts';
import { categories } from '../../../apps/server/src/record/index.ts';
import { createPublisher } from '../../../apps/server/src/record/wiring.ts';

export interface DeskEditorSettings {
  readonly databaseUrl: string;
  /** What the editor sent, and what was answered: outside of the database, as a person remembers it. */
  readonly logFile: string;
}

export interface EditorLine {
  readonly requestId: string;
  /** Absent for a request that was sent; then `done`, or why it was refused. */
  readonly answer?: string;
}

// One editor who decides at random until the process is killed.
const { databaseUrl, logFile } = JSON.parse(process.argv[2] ?? '') as DeskEditorSettings;
const { database } = connectDatabase({
  url: databaseUrl,
  name: 'desk-editor',
  connectionsMax: 3,
  statementTimeoutMs: 20_000,
  connectTimeoutMs: 10_000,
});
const ids = createIdSource({ clock: systemClock, randomBytes });
const publisher = createPublisher({ database, clock: systemClock, ids });
const desk = createEditorDesk({ database, clock: systemClock, publisher, language: 'en' });
const write = (line: EditorLine): void => appendFileSync(logFile, `${JSON.stringify(line)}\n`);
const pick = <Member>(from: readonly Member[]): Member =>
  from[Math.floor(Math.random() * from.length)] as Member;

interface Picked {
  readonly id: Id<'item'>;
  readonly story: Id<'story'> | null;
  readonly others: readonly Id<'item'>[];
}

async function pickItems(): Promise<readonly Picked[]> {
  const { rows } = await sql<Picked>`
    SELECT item.id, item.story_id AS story, ARRAY(
      SELECT other.id FROM record.item AS other
      WHERE other.story_id = item.story_id AND other.withdrawn_at IS NULL ORDER BY 1) AS others
    FROM record.item WHERE item.withdrawn_at IS NULL ORDER BY random() LIMIT 2`.execute(database);
  return rows;
}

async function undoable(): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    SELECT entry.id::text FROM newsroom.journal_entry AS entry WHERE entry.decided_by = 'operator'
      AND NOT EXISTS (SELECT FROM newsroom.journal_entry AS undo WHERE undo.undoes = entry.id)
    ORDER BY entry.id DESC OFFSET ${Math.floor(Math.random() * 20)} LIMIT 1`.execute(database);
  return rows[0]?.id ?? null;
}

type Decision = (requestId: string) => Promise<{ readonly ok: boolean; readonly reason?: string }>;

async function draw(): Promise<Decision | null> {
  const [item, other] = await pickItems();
  if (item === undefined) return null;
  const { id: itemId, story: storyId } = item;
  const reason = 'For the proof.';
  const kind = Math.random();
  if (kind < 0.3)
    return (requestId) =>
      desk.correctItem({ itemId, changes: { category: pick(categories) }, reason, requestId });
  if (kind < 0.45)
    return (requestId) => desk.selectItem({ itemId, reason: `${reason} ${requestId}`, requestId });
  if (kind < 0.6) return (requestId) => desk.unselectItem({ itemId, reason, requestId });
  if (kind < 0.75) {
    const id = await undoable();
    return id === null ? null : (requestId) => desk.undo({ id, reason, requestId });
  }
  const into = other?.story ?? null;
  if (kind < 0.85 && storyId !== null && into !== null)
    return (requestId) => desk.mergeStories({ absorbedId: storyId, survivorId: into, reason, requestId });
  if (kind < 0.97 && storyId !== null && item.others.length > 1)
    return (requestId) =>
      desk.splitStory({
        storyId,
        itemIds: [itemId],
        title: 'Apart',
        reason,
        unverified: 'Simulated.',
        requestId,
      });
  return kind < 0.97 ? null : (requestId) => desk.withdrawItem({ itemId, reason, requestId });
}

process.on('disconnect', () => process.exit(0));
for (;;) {
  const decide = await draw();
  if (decide === null) continue;
  const requestId = randomUUID();
  write({ requestId });
  const isRepeated = Math.random() < 0.2;
  const answers = await Promise.all(
    isRepeated ? [decide(requestId), decide(requestId)] : [decide(requestId)],
  );
  const done = answers.some(({ ok }) => ok);
  write({ requestId, answer: done ? 'done' : (answers[0]?.reason ?? 'refused') });
}
