import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import type { ReadStream, WriteStream } from 'node:tty';
import { fileURLToPath } from 'node:url';

import { systemHost } from '../src/bin/system-host.ts';
import type { Host } from '../src/cli/host.ts';
import { runProgram } from '../src/cli/program.ts';
import { classifyByName } from './stand-in-classifier.ts';
import { Terminal } from './terminal.ts';

export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export const standInCommand = fileURLToPath(new URL('stand-in-command.ts', import.meta.url));

/** A folder with notes and a knowledge root, and the real commands on them. */
export class MigrationPlace {
  readonly folder = mkdtempSync(join(tmpdir(), 'migrate-test-'));
  readonly notes = join(this.folder, 'notes');
  readonly root = join(this.folder, 'knowledge');
  #terminal: Terminal | undefined;

  write(path: string, content: string | Buffer): void {
    mkdirSync(dirname(join(this.folder, path)), { recursive: true });
    writeFileSync(join(this.folder, path), content);
  }

  read(path: string): string {
    return readFileSync(join(this.folder, path), 'utf8');
  }

  /** The command as it is, in this process: only its streams and its environment are the test's own. */
  async run(
    args: readonly string[],
    input: string | Readable = '',
    env: Host['env'] = {},
    answerWithinMs = 60_000,
  ): Promise<CommandResult> {
    const output = { stdout: '', stderr: '' };
    const collect = (name: keyof typeof output): WriteStream =>
      new Writable({
        write: (piece: Buffer, _encoding, done) => {
          output[name] += piece.toString();
          done();
        },
      }) as WriteStream;
    const host: Host = {
      ...systemHost(classifyByName),
      stdin: (typeof input === 'string' ? Readable.from([Buffer.from(input)]) : input) as ReadStream,
      stdout: collect('stdout'),
      stderr: collect('stderr'),
      env: { DAYBOOK_KNOWLEDGE: this.root, ...env },
      home: this.folder,
      answerWithinMs,
    };
    const code = await runProgram('all', args, host);
    return { code, ...output };
  }

  async json(args: readonly string[], input = ''): Promise<Record<string, unknown>> {
    const { stdout } = await this.run([...args, '--json'], input);
    return JSON.parse(stdout) as Record<string, unknown>;
  }

  /** `approve` in a terminal; close it before another is opened. */
  openApprove(flags: string): Terminal {
    const command = `'${process.execPath}' '${standInCommand}' approve ${flags} --root '${this.root}'`;
    this.#terminal = new Terminal(command, { columns: 100, rows: 30 });
    return this.#terminal;
  }

  /** Every file of the knowledge with its content, the tool's own state left out. */
  knowledge(root = this.root): Record<string, string> {
    const files: Record<string, string> = {};
    for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name).slice(root.length + 1);
      if (entry.isFile() && !path.startsWith('.migration'))
        files[path] = readFileSync(join(root, path), 'latin1');
    }
    return files;
  }

  remove(): void {
    this.#terminal?.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
