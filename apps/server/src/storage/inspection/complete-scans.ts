import { Readable } from 'node:stream';

import type { Scan, ScannerAddress } from './clamd-scanner.ts';
import { ScannerMisconfigured, createClamdScanner, readClamdVersion } from './clamd-scanner.ts';
import { encryptedArchive, inflatedArchive, nestedArchive } from './probe-files.ts';

interface Probe {
  readonly bytes: () => Buffer;
  /** That makes the scanner say that it has not read these bytes. */
  readonly setting: string;
  /** How long the answer is trusted: the scanner may be restarted with other settings. */
  readonly trustedMs: number;
}

const probes: readonly Probe[] = [
  {
    bytes: () => nestedArchive(),
    setting: 'AlertExceedsMax yes (and MaxRecursion of at most 100)',
    trustedMs: 60_000,
  },
  { bytes: encryptedArchive, setting: 'AlertEncrypted yes', trustedMs: 60_000 },
  // The scanner unpacks it, which takes seconds.
  {
    bytes: () => inflatedArchive(),
    setting: 'MaxFileSize 0 (and MaxScanSize of at most 600M)',
    trustedMs: 600_000,
  },
];

/**
 * A scanner whose `clean` means that it has read everything. With other settings, clamd says OK to content that it has
 * skipped, and to zip files of which it has unpacked only the beginning; so it gets content that it cannot read, and
 * must say so, before its answers count.
 */
export function createCompleteScanner(address: ScannerAddress, scan = createClamdScanner(address)): Scan {
  const trustedUntil = new Map<Probe, number>();
  return async (content, signal) => {
    for (const probe of probes) {
      const from = performance.now();
      if (from < (trustedUntil.get(probe) ?? Number.NEGATIVE_INFINITY)) continue;
      await requireUnread(scan, probe, signal);
      trustedUntil.set(probe, from + probe.trustedMs);
    }
    return scan(content, signal);
  };
}

async function requireUnread(scan: Scan, { bytes, setting }: Probe, signal: AbortSignal): Promise<void> {
  const probe = bytes();
  const content = { size: probe.length, open: async () => Readable.from([probe]) };
  const { state } = await scan(content, signal);
  if (state !== 'unscannable')
    throw new ScannerMisconfigured(`the scanner calls content ${state} that it cannot read: set ${setting}`);
}

/** For operators: rejects unless the scanner answers and its settings make it read everything. Returns its version. */
export async function probeScanner(address: ScannerAddress, signal: AbortSignal): Promise<string> {
  const clean = Buffer.from('daybook');
  const { state } = await createCompleteScanner(address)(
    { size: clean.length, open: async () => Readable.from([clean]) },
    signal,
  );
  if (state !== 'clean') throw new ScannerMisconfigured(`the scanner calls harmless content ${state}`);
  return readClamdVersion(address);
}
