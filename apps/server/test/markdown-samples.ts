import { readFile } from 'node:fs/promises';

export interface Sample {
  readonly language: string;
  readonly text: string;
}

/** The code blocks of a document, in order. */
export async function readSamples(document: string | URL): Promise<readonly Sample[]> {
  const markdown = await readFile(document, 'utf8');
  return [...markdown.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(([, language = '', text = '']) => ({
    language,
    text,
  }));
}
