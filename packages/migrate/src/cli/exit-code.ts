/** Stable: scripts may rely on them. */
export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  waiting: 3,
  refused: 4,
  busy: 5,
  stopped: 130,
} as const;

export const exitCodeHelp = `Exit codes
  0  done
  1  something could not be read or written; what was not committed is still in the queue
  2  the command line is wrong
  3  done, but some chunks wait for an answer that only a person at a terminal can give
  4  refused: UNCLEAR chunks in bulk, or an undo of text that was edited since
  5  another migration is at work on the same knowledge root
  130  stopped by you; what you answered is kept`;
