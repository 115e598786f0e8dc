import { targets } from '../targets/target.ts';
import { exitCodeHelp } from './exit-code.ts';

const common = `Everywhere
  --root <folder>   the knowledge the notes go to; else DAYBOOK_KNOWLEDGE, else ~/Knowledge
  --json            one JSON document on standard output; nothing is asked
  --help, --version`;

const names = targets.join(' ').replace(/(.{60,76}) /g, '$1\n  ');

const scan = `  --source <path>   a file, or a folder with all that is in it: .md .markdown .txt, agent rule
                    files (AGENTS.md, CLAUDE.md, .cursorrules, .mdc), Obsidian and Notion exports
  --stdin           text that is piped in
  --whole           keep every note whole; --sections makes every section a chunk. With neither, a
                    note stays whole unless parts of it clearly belong elsewhere
  --encoding <name> what notes that are no UTF-8 are written in (gbk, big5, shift_jis,
                    windows-1251, …); without it they are recognised, and asked about when unsure
  --dry-run         look, but keep nothing: not a byte in the knowledge root changes`;

const approve = `  (nothing)                          the guided way, at a terminal
  --approve-all                      commit every chunk that is not UNCLEAR
  --approve-target <target>          commit all chunks proposed for one target
  --review                           walk through what is pending, one chunk after another
  --modify <id> --target <target>    commit one chunk to a target you choose
  --restore <id>                     make a rejected chunk pending again
  --dry-run                          show the changes as a diff, make none

  Your identity file, each ideal-state dimension, rules for agents, text that already stands
  in its target, notes edited after they were committed and targets edited since the scan are
  asked about at a terminal; without one they wait. Ctrl-C stops at once and keeps your answers.`;

const targetHelp = `Targets\n  ${names}`;

export const helpTexts = {
  scan: `MigrateScan: read notes and propose where each piece of them goes. Writes to no note.

${scan}

${common}

${exitCodeHelp}`,
  approve: `MigrateApprove: commit what was scanned to where it belongs.

${approve}

${targetHelp}

${common}

${exitCodeHelp}`,
  all: `daybook-migrate: move notes into a knowledge base on your own disk, and lose no line.

daybook-migrate scan
${scan}

daybook-migrate approve
${approve}

daybook-migrate undo
  (nothing)         take back the latest run
  --run <id>        take back that run
  --chunk <id>      take back one chunk
  --file <path>     take back what came from one note, or what was put into one file
  --all             take back every run, the newest first
  --dry-run         say what would be taken back

daybook-migrate status
  (nothing)         what is pending, what went where, the runs
  --list            every pending chunk with its id
  --rejected        every rejected chunk with its id
  --where <note>    where a note went, by its path or name
  --files           every file that was not simply read, and why
  --show <id>       one chunk in full
  --report <file>   a report in Markdown, or as a page where the name ends in .html

${targetHelp}

${common}

${exitCodeHelp}`,
} as const;
