import { randomBytes } from 'node:crypto';
import { access, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';

import type { Config } from '../../config/config.ts';
import { verifySmtp } from '../../foundation/mail/smtp-sender.ts';
import { openBucket, probeScanner, whyNoSandbox } from '../../storage/wiring.ts';
import type { Check, Outcome } from './check.ts';
import { failed, messageOf, passed, skipped, warning } from './check.ts';
import { describeNamespaceFault, describeSandboxFault } from './service-sandbox.ts';

const megabyte = 1024 ** 2;
const diskFailureBytes = 256 * megabyte;
const diskWarningBytes = 5 * 1024 * megabyte;
const diskWarningShare = 0.1;

export function serviceChecks(config: Config): readonly Check[] {
  return [
    { name: 'mail', run: () => checkMail(config) },
    { name: 'storage', run: (signal) => checkBucket(config, signal) },
    { name: 'scanner', run: (signal) => checkScanner(config, signal) },
    { name: 'documents', run: (signal) => checkDocuments(config, signal) },
    { name: 'disk', run: () => checkDisk(config) },
  ];
}

/** Connects, encrypts and signs in as for a mail, and sends none. */
async function checkMail({ mail }: Config): Promise<Outcome> {
  if (mail.smtpUrl === '')
    return warning(
      'DAYBOOK_SMTP_URL is not set: no mail is sent',
      'Set it. Without a mail server, users cannot confirm addresses or reset passwords.',
    );
  try {
    await verifySmtp(mail.smtpUrl);
  } catch (error) {
    return failed(
      messageOf(error),
      'Compare host, port, login and password in DAYBOOK_SMTP_URL with your mail server; smtps:// is for port 465.',
    );
  }
  if (mail.from.includes('@localhost'))
    return warning(
      'DAYBOOK_MAIL_FROM is not set',
      'Set a sender address of your domain. Otherwise receivers refuse the mail.',
    );
  return passed(`the server at ${new URL(mail.smtpUrl).hostname} accepts the login`);
}

/** Writes, reads and deletes one small object. */
async function checkBucket({ storage }: Config, signal: AbortSignal): Promise<Outcome> {
  if (storage === null) return skipped('no storage is configured');
  const isFolder = storage.bucket.kind === 'folder';
  const advice = isFolder
    ? 'Create the folder, and give it to the account that runs Daybook.'
    : 'Compare DAYBOOK_STORAGE_BUCKET, its URL, region, key id and secret with your S3 server, then run `daybook storage setup`.';
  try {
    // A missing folder means a mistyped name, so it is not created here.
    if (storage.bucket.kind === 'folder') {
      await access(storage.bucket.folder);
      const fault = await describeSandboxFault(storage.bucket.folder);
      if (fault !== null) return fault;
    }
    const bucket = await openBucket(storage.bucket);
    const key = randomBytes(16).toString('hex');
    const probe = Buffer.from('daybook doctor');
    try {
      await bucket.put(key, { body: Readable.from([probe]), size: probe.length }, signal);
      const read = await buffer(await bucket.open(key, null, signal));
      if (!read.equals(probe)) return failed('a written object was read back with different bytes', advice);
    } finally {
      await bucket.remove(key);
    }
    if ((await bucket.sizeOf(key)) !== null) return failed('a deleted object is still readable', advice);
    return passed(`wrote, read and deleted an object in the ${isFolder ? 'folder' : 'bucket'}`);
  } catch (error) {
    return failed(messageOf(error), advice);
  }
}

async function checkScanner({ storage }: Config, signal: AbortSignal): Promise<Outcome> {
  const address = storage?.scanner ?? null;
  if (address === null)
    return storage === null
      ? skipped('no storage is configured')
      : warning(
          'DAYBOOK_CLAMD is not set: files are not scanned',
          'Install clamav-daemon and set DAYBOOK_CLAMD.',
        );
  try {
    return passed(await probeScanner(address, signal));
  } catch (error) {
    return failed(
      messageOf(error),
      'Start clamd, compare its address with DAYBOOK_CLAMD, and apply the settings in deploy/README.md.',
    );
  }
}

/** Plain text is searchable without a sandbox. */
async function checkDocuments({ storage }: Config, signal: AbortSignal): Promise<Outcome> {
  if (storage === null) return skipped('no storage is configured');
  const reason = (await whyNoSandbox(signal)) ?? (await describeNamespaceFault());
  if (reason === null) return passed('documents can be read in a sandbox');
  return warning(
    `documents are not searchable: ${reason}`,
    'Install bubblewrap and poppler-utils on the machines of the workers, and allow them to create user namespaces: see docs/guides/storage-api.md.',
  );
}

/** Of the folders on this machine; the disk of the database is checked on its machine. */
async function checkDisk({ storage }: Config): Promise<Outcome> {
  const folders = [
    tmpdir(),
    process.cwd(),
    ...(storage?.bucket.kind === 'folder' ? [storage.bucket.folder] : []),
  ];
  let least: { readonly folder: string; readonly free: number; readonly share: number } | null = null;
  for (const folder of folders) {
    const disk = await statfs(folder).catch(() => null);
    if (disk === null) continue;
    const free = disk.bavail * disk.bsize;
    if (least === null || free < least.free)
      least = { folder, free, share: disk.bavail / Math.max(disk.blocks, 1) };
  }
  if (least === null) return skipped('no folder could be read');
  const detail = `${Math.floor(least.free / megabyte)} MB are free at ${least.folder}`;
  const advice = 'Delete what is not needed, or enlarge the disk: a full disk stops uploads and PostgreSQL.';
  if (least.free < diskFailureBytes) return failed(detail, advice);
  if (least.free < diskWarningBytes && least.share < diskWarningShare) return warning(detail, advice);
  return passed(detail);
}
