import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export const standInCommand = fileURLToPath(new URL('stand-in-command.ts', import.meta.url));

/** A folder with notes and a knowledge root, and the real command in a process of its own. */
export class MigrationPlace {
  readonly folder = mkdtempSync(join(tmpdir(), 'migrate-test-'));
  readonly notes = join(this.folder, 'notes');
  readonly root = join(this.folder, 'knowledge');

  write(path: string, content: string | Buffer): void {
    mkdirSync(dirname(join(this.folder, path)), { recursive: true });
    writeFileSync(join(this.folder, path), content);
  }

  read(path: string): string {
    return readFileSync(join(this.folder, path), 'utf8');
  }

  run(args: readonly string[], input = ''): Promise<CommandResult> {
    const child = spawn(process.execPath, [standInCommand, ...args, '--root', this.root], {
      cwd: this.folder,
    });
    const output = { stdout: '', stderr: '' };
    child.stdout.on('data', (piece: Buffer) => (output.stdout += piece.toString()));
    child.stderr.on('data', (piece: Buffer) => (output.stderr += piece.toString()));
    child.stdin.end(input);
    const { promise, resolve, reject } = Promise.withResolvers<CommandResult>();
    child.on('error', reject).on('close', (code) => resolve({ code, ...output }));
    return promise;
  }

  async json(args: readonly string[], input = ''): Promise<Record<string, unknown>> {
    const { stdout } = await this.run([...args, '--json'], input);
    return JSON.parse(stdout) as Record<string, unknown>;
  }

  /** Every file of the knowledge with its content, the tool's own state left out. */
  knowledge(): Record<string, string> {
    const files: Record<string, string> = {};
    for (const entry of readdirSync(this.root, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name).slice(this.root.length + 1);
      if (entry.isFile() && !path.startsWith('.migration'))
        files[path] = readFileSync(join(this.root, path), 'latin1');
    }
    return files;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
