import type { Spans } from './spans.ts';

/** What is true of a file while nothing changes it. */
export interface FileState {
  readonly project: string;
  /** Occurs in this version only. */
  readonly mark: string;
  readonly isLive: boolean;
}

export interface WorldFile {
  readonly id: string;
  readonly company: string;
  readonly states: Spans<FileState>;
}

export interface WorldProject {
  readonly id: string;
  readonly live: Spans<boolean>;
}

/** Reads a project or a file by an id, or every file. */
export type Right = { readonly kind: 'all' | 'project' | 'file'; readonly id: string };

export interface FileAsker {
  readonly name: string;
  readonly username: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The expected status of a question. */
  readonly status: number;
  readonly rights: Map<string, Spans<Right | null>>;
  readonly answers: string[];
}

export interface WorldAgent {
  readonly id: string;
  readonly readsFiles: boolean;
  /** Null: all. */
  readonly project: string | null;
}
