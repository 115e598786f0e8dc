import type { ProofFault } from '@daybook/client/log/proof';
import type { LogFault } from '@daybook/client/log/view';

/** Texts about the public log. Names in braces are filled in. */
export const verify = {
  title: 'Verify content',
  lead: 'Everything published here is an entry of a public log that cannot be changed unnoticed. This page checks an entry in your browser, with the signed files of the log.',
  needsScript:
    'This check needs JavaScript. Without it, use the command “daybook verify” with the address of the content.',
  target: 'Address, id or date of a report',
  targetHint: 'For example the address of an item, story or report.',
  file: 'Or a saved proof (JSON file)',
  submit: 'Verify',
  /** On the page of an item, story or report. */
  check: 'Verify in the public log',
  history: 'History',
  remembers:
    'Your browser stores the last checkpoint that it saw. If the log is changed afterwards, the next check reports it.',
  script: {
    checking: 'Checking …',
    proven: 'Verified in log entry {entry}, since {at}.',
    withdrawn: 'The log proves that this was withdrawn at {at} (entry {entry}).',
    erased:
      'The log proves that this was published at {at} (entry {entry}). Its words were removed since, because they were withdrawn or corrected.',
    place: 'Log {origin}, checkpoint of {size} entries.',
    unknown: 'The public log has no entry for this. Check the address.',
    unreadable: 'The check could not be completed. Try again later.',
    shownOtherwise: 'Not verified: the server shows other content than the log proves ({fields}).',
    fork: 'Not verified: this server signed two logs that contradict each other. Save the evidence and publish it.',
    saveEvidence: 'Save the evidence',
    problems: {
      not_in_checkpoint: 'The newest change is not signed yet. Try again in a minute.',
      log_unsigned: 'This installation does not sign its log.',
    },
    faults: {
      malformed: 'Not verified: this is not a proof of a public log.',
      other_subject: 'Not verified: the server sent the proof of something else.',
      unsigned_checkpoint: 'Not verified: no known key of this log signed the checkpoint.',
      not_included: 'Not verified: the entry is not in the log.',
      other_content: 'Not verified: the content is not that of the entry in the log.',
      not_continued: 'Not verified: the log does not continue what your browser saw before.',
      other_log: 'Not verified: this server has another log than the one that your browser saw before.',
      wrong_epoch: 'Not verified: the log was restarted without a valid signed statement.',
      older_checkpoint:
        'Not verified: the server shows an older log than the one that your browser saw before.',
      wrong_tiles: 'Not verified: the files of the log do not match its signed checkpoint.',
    } satisfies Readonly<Record<ProofFault | LogFault, string>>,
  },
};

/** Texts about the quotations of a digest. Names in braces are filled in. */
export const quotes = {
  title: 'Quotations',
  lead: 'What the cited reports say in support of each sentence, in their own words.',
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
  lead: 'Every public change since the log began, newest first. Wording that was removed by a correction or withdrawal is not shown.',
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
  removed: 'The wording of this revision was removed.',
  first: 'First revision.',
  noWords: 'No change of wording.',
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
    reason: 'Reason of the selection',
    story: 'Story',
    entries: 'Entries',
    notes: 'Editors’ notes',
    links: 'Link',
    publishedAt: 'Time of publication',
    language: 'Language',
  },
  none: 'The public log has no entry for this: it was published before the log began.',
  back: 'Back',
};
