import { callers } from '../../../access/index.ts';
import { deskActions, deskJournal, deskReading, requireDesk } from '../../../newsroom/desk/index.ts';
import type { DeskVisit } from './desk-frame.ts';

export const itemPath = (id: string): string => `/desk/items/${id}`;

export async function requireItem(visit: DeskVisit, id: string): Promise<deskReading.DeskItem> {
  requireDesk(visit.actor, deskActions.items.read, 'items', id);
  const item = await deskReading.readDeskItem(visit.tools.desk.database, id);
  if (item === null) throw callers.notFoundOrHidden();
  return item;
}

export function versionOfItem({ title, summary, category, selected }: deskReading.DeskItem): string {
  return deskJournal.versionOf({ kind: 'item', title, summary, category, selected });
}
