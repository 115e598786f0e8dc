import { targets } from '../targets/target.ts';
import { exitCodeHelp } from './exit-code.ts';

const common = `Everywhere
  --root <folder>   knowledge base; default DAYBOOK_KNOWLEDGE, then ~/Knowledge
  --json            print one JSON document; ask no questions
  --help, --version`;

const names = targets.join(' ').replace(/(.{60,76}) /g, '$1\n  ');

const scan = `  --source <path>   a file, or a folder and its contents: .md .markdown .txt, agent rule
                    files (AGENTS.md, CLAUDE.md, .cursorrules, .mdc), Obsidian and Notion exports,
                    zip archives, text packs and Bear backups
  --stdin           read text from standard input
  --whole           make every note a chunk; --sections makes every section a chunk. By default a
                    note becomes one chunk unless most of it belongs to two or three of your lists
  --encoding <name> encoding of notes that are not UTF-8 (gbk, big5, shift_jis,
                    windows-1251, …); detected by default, with a question if unsure
  --dry-run         show the result without changing the knowledge base`;

const approve = `  (no option)                        guided mode, in a terminal or on lines of standard input
  --approve-all                      commit every chunk that is not UNCLEAR
  --approve-target <target>          commit all chunks proposed for one target
  --review                           review pending chunks one by one
  --modify <id> --target <target>    commit one chunk to a target you choose
  --restore <id>                     make a rejected chunk pending again
  --dry-run                          show the changes as a diff without applying them

  The following require confirmation: changes to your identity file and to ideal-state dimensions,
  rules for agents, text that is already in its target, notes edited after they were committed, and
  targets edited since the scan. With --json, and with --approve-all outside a terminal, they stay
  pending. Notes that may contain a secret are listed before a commit. Ctrl-C, or the end of standard input, stops and
  saves your answers.`;

const targetHelp = `Targets\n  ${names}`;

export const helpTexts = {
  scan: `MigrateScan: read notes and propose a target for each chunk. Notes are not changed.

${scan}

${common}

${exitCodeHelp}`,
  approve: `MigrateApprove: commit scanned chunks to their targets.

${approve}

${targetHelp}

${common}

${exitCodeHelp}`,
  all: `daybook-migrate: move notes into a knowledge base on your own disk without losing a line.

daybook-migrate scan
${scan}

daybook-migrate approve
${approve}

daybook-migrate undo
  (no option)       undo the latest run
  --run <id>        undo a run
  --chunk <id>      undo one chunk
  --file <path>     undo the chunks of one note or one target file
  --all             undo all runs, newest first
  --dry-run         show what would be undone

daybook-migrate status
  (no option)       show pending chunks, committed chunks and runs
  --list            list pending chunks with their ids
  --rejected        list rejected chunks with their ids
  --where <note>    show the targets of a note, by path or name
  --files           list files with remarks
  --show <id>       show one chunk
  --report <file>   write a report in Markdown, or HTML if the name ends in .html

daybook-migrate index
  (no option)       write a page for each area with its counts and newest notes: _index.md
  --backlinks       also write _backlinks.md: the notes that link to each note
  --remove          delete these pages
  --dry-run         list the pages

daybook-migrate evaluate <file.jsonl>
  Compare the proposals with labels, one JSON object per line: vault, path, kind, stayWhole,
  target, acceptable. Changes nothing.
  --vaults <folder> folder of the vaults; default: vaults beside the file

${targetHelp}

${common}

${exitCodeHelp}`,
} as const;
