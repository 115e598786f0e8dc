import { readFile } from 'node:fs/promises';

export interface GuideBlock {
  /** The heading that it stands under. */
  readonly heading: string;
  readonly text: string;
}

/** The blocks of a guide that are marked as `shell`, in order; those in lists are indented. */
export async function readShellBlocks(file: string): Promise<readonly GuideBlock[]> {
  const blocks: GuideBlock[] = [];
  let heading = '';
  let block: { readonly indent: number; readonly lines: string[] } | null = null;
  for (const line of (await readFile(file, 'utf8')).split('\n')) {
    const fence = /^( *)```(\w*)$/.exec(line);
    if (block !== null && fence !== null) {
      blocks.push({ heading, text: block.lines.join('\n') });
      block = null;
    } else if (block !== null) block.lines.push(line.slice(block.indent));
    else if (fence?.[2] === 'shell') block = { indent: fence[1]?.length ?? 0, lines: [] };
    else heading = /^#+ (.*)$/.exec(line)?.[1] ?? heading;
  }
  return blocks;
}
