import type { Target } from '../targets/target.ts';

/** What the vault says about a whole note, besides its text. */
export interface NoteContext {
  /** The properties of its front matter; null without any. */
  readonly properties: Readonly<Record<string, unknown>> | null;
  readonly tags: readonly string[];
  /** The number of notes in its folder, and of those named after a date. */
  readonly folder: { readonly notes: number; readonly dated: number };
}

/** The input of the classifier. */
export interface ClassifierInput {
  /** Headings from the outermost to the chunk's own; empty for text under none. */
  readonly headings: readonly string[];
  readonly text: string;
  /** The path of the note relative to the scanned folder; null without a file. */
  readonly path?: string | null;
  /** Set for a whole note; missing for a section of one. */
  readonly note?: NoteContext;
}

export interface Classification {
  readonly target: Target;
  /** Calibrated: of chunks given 0.8, about eight in ten are right. Between 0 and 1. */
  readonly confidence: number;
  /** The reasons for the target, strongest first, readable for the user. */
  readonly reasons: readonly string[];
  /** The next best targets, best first, without `target` itself. */
  readonly alternatives: readonly { readonly target: Target; readonly confidence: number }[];
  /** For a whole note: the kind of evidence that decided. */
  readonly basis?: NoteBasis;
}

/** The kinds of evidence about a whole note, strongest first. All but the last three come from the vault itself. */
export const noteBases = [
  'rules',
  'template',
  'readme',
  'property',
  'dated name',
  'dated folder',
  'view',
  'tag',
  'folder',
  'title',
  'technical',
  'links',
  'words',
  'text',
] as const;
export type NoteBasis = (typeof noteBases)[number];
