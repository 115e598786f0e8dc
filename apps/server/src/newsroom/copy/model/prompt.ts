import { readFileSync } from 'node:fs';

import { sha256 } from '../../../foundation/hash.ts';

/** A prompt is a file; its version is the hash of its text. */
export interface Prompt {
  readonly name: string;
  readonly text: string;
  /** The first twelve digits of the hash of its text, which identifies the prompt of an answer. */
  readonly version: string;
}

export function readPrompt(name: 'write-item' | 'write-digest'): Prompt {
  const text = readFileSync(new URL(`./prompts/${name}.md`, import.meta.url), 'utf8');
  return { name, text, version: sha256(text).slice(0, 12) };
}
