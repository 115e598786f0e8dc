import type { Backup } from '../../foundation/backups/backup-store.ts';
import { instantFromMs } from '../../foundation/instant.ts';

/** The parts of `pgbackrest info --output=json` that are stored. */
interface Stanza {
  readonly backup: readonly {
    readonly label: string;
    readonly error?: boolean | null;
    readonly timestamp: { readonly start: number; readonly stop: number };
    readonly info: { readonly repository: { readonly delta: number } };
  }[];
}

/** Throws if the text is something else: a backup must not seem to exist. */
export function parsePgBackRestInfo(text: string): readonly Backup[] {
  const stanzas = JSON.parse(text) as readonly Stanza[];
  return stanzas.flatMap(({ backup }) =>
    backup.map(({ label, error, timestamp: { start, stop }, info }) => ({
      kind: 'database' as const,
      label,
      finishedAt: instantFromMs(stop * 1_000),
      seconds: stop - start,
      bytes: info.repository.delta,
      fault: error === true ? 'pages with wrong checksums' : null,
    })),
  );
}
