import type { SealedColumn } from '../foundation/sealing/sealed-column-store.ts';
import { sealedColumns as identityColumns } from '../identity/wiring.ts';
import { sealedColumns as ingestColumns } from '../ingest/wiring.ts';
import { sealedColumns as watchColumns } from '../watch/wiring.ts';

/** Every column of values that are encrypted with `DAYBOOK_SECRET_KEY`. */
export const sealedColumns: readonly SealedColumn[] = [...identityColumns, ...ingestColumns, ...watchColumns];
