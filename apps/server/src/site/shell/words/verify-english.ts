import type { ProofFault } from '@daybook/client/log/proof';
import type { LogFault } from '@daybook/client/log/view';

/** Texts about the public log. Names in braces are filled in. */
export const verify = {
  title: 'Verify content',
  lead: 'Everything published here is recorded in a public log, in which every later change can be detected. This page checks an entry in your browser against the signed files of the log.',
  needsScript:
    'This check requires JavaScript. You can also run “daybook verify” with the address of the content.',
  target: 'Address, ID or date',
  targetHint: 'The address or ID of an item or a story, or the date of a daily.',
  file: 'Or a saved proof (JSON file)',
  submit: 'Verify',
  /** On the page of an item, story or report. */
  check: 'Verify in the public log',
  history: 'History',
  remembers:
    'Your browser stores the last checkpoint that it received. If the log is changed afterwards, the next check reports the change.',
  script: {
    checking: 'Checking …',
    proven: 'Verified: this content is entry {entry} of the log, recorded at {at}.',
    withdrawn: 'The log proves that this content was withdrawn at {at} (entry {entry}).',
    erased:
      'The log proves that this content was published at {at} (entry {entry}). Its text was deleted later because of a withdrawal or correction.',
    place: 'Log {origin}, checkpoint with {size} entries.',
    unknown: 'The public log has no entry for this content. Check the address.',
    unreadable: 'The check could not be completed. Try again later.',
    shownOtherwise: 'Not verified: the content on the server differs from the content in the log ({fields}).',
    fork: 'Not verified: this server signed two logs that contradict each other. Save the evidence and publish it.',
    saveEvidence: 'Save the evidence',
    problems: {
      not_in_checkpoint: 'The newest change is not signed yet. Try again in a minute.',
      log_unsigned: 'This installation does not sign its log.',
    },
    faults: {
      malformed: 'Not verified: this is not a proof of a public log.',
      other_subject: 'Not verified: the server sent the proof of other content.',
      unsigned_checkpoint: 'Not verified: the checkpoint is not signed with a known key of this log.',
      not_included: 'Not verified: the entry is not in the log.',
      other_content: 'Not verified: the content differs from the entry in the log.',
      not_continued: 'Not verified: the log does not continue the log that your browser stored earlier.',
      other_log: 'Not verified: this is not the log that your browser stored earlier for this server.',
      wrong_epoch: 'Not verified: the log was restarted without a valid signed statement.',
      older_checkpoint:
        'Not verified: the log on the server is older than the one that your browser stored earlier.',
      wrong_tiles: 'Not verified: the files of the log do not match its signed checkpoint.',
    } satisfies Readonly<Record<ProofFault | LogFault, string>>,
  },
};

/** Texts about the quotations of a digest. Names in braces are filled in. */
export const quotes = {
  title: 'Quotations',
  lead: 'The passages of the cited reports that support each sentence.',
  check: 'Check in this browser',
  script: {
    checking: 'Checking …',
    supported: 'Checked in this browser: the quotations support all {count} sentences.',
    partly: 'Checked in this browser: the quotations alone support {supported} of {count} sentences.',
    missing: 'Not in the quotations: {facts}',
    unreadable: 'The check could not be completed. Try again later.',
  },
};

/** Texts about the revisions of an item, story or report. */
export const history = {
  title: 'History',
  lead: 'All public changes since the log began, newest first. Text that was deleted because of a correction or withdrawal is not shown.',
  actions: {
    published: 'Published',
    revised: 'Revised',
    withdrawn: 'Withdrawn',
    opened: 'Opened',
    merged: 'Merged',
    split: 'Split off',
  },
  corrected: 'Correction',
  entry: (index: number) => `log entry ${index}`,
  unsigned: 'not signed yet',
  removed: 'The text of this revision was deleted.',
  first: 'First revision.',
  noWords: 'The text did not change.',
  changed: 'Changed',
  fields: {
    title: 'Title',
    originalTitle: 'Original title',
    summary: 'Summary',
    digest: 'Digest',
    otherDigest: 'Digest in the other language',
    headline: 'Headline',
    overview: 'Overview',
    category: 'Category',
    score: 'Score',
    selected: 'Selection',
    reason: 'Reason for the selection',
    story: 'Story',
    entries: 'Entries',
    notes: 'Editors’ notes',
    links: 'Link',
    publishedAt: 'Time of publication',
    language: 'Language',
  },
  none: 'The public log has no entry for this content, because it was published before the log began.',
  back: 'Back',
};
