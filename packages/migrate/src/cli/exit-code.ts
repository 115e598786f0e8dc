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
  1  a file could not be read or written; uncommitted chunks stay in the queue
  2  usage error
  3  done, but some chunks require an answer
  4  refused: UNCLEAR chunks in bulk, or an undo of text that was edited since
  5  another migration is running on the same knowledge base
  130  stopped by the user; answers are saved`;
