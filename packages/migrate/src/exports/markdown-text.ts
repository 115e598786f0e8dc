/** A line break of the source. Other white space is collapsed. */
export const lineBreak = '\n';

/**
 * Text as Markdown that shows it. Only characters with a meaning where they are get a backslash, so that words such as
 * snake_case can still be searched for.
 */
export function inlineText(text: string): string {
  const line = text.replace(/[ \t\r\n\f]+/g, ' ');
  if (!/[\\`_*~=[<&#>|+-]|^ ?\d/.test(line)) return line;
  return line
    .replace(/\\(?=[!-/:-@[-`{-~])/g, '\\\\')
    .replace(/`/g, '\\`')
    .replace(/(?<![\p{L}\p{N}_])_(?=\S)|(?<=\S)_(?![\p{L}\p{N}_])/gu, '\\_')
    .replace(/\*(?=\S)|(?<=\S)\*/g, '\\*')
    .replace(/~~/g, '\\~~')
    .replace(/==/g, '\\==')
    .replace(/\[(?=[^[\]]{0,500}\][([:])|\[(?=\[)/g, '\\[')
    .replace(/<(?=[a-z/!?])/gi, '\\<')
    .replace(/&(?=#?\w{1,31};)/g, '\\&')
    .replace(/^(\s*)(#{1,6}\s|[-+]\s|>|(?:-{3,}|={3,})\s*$|\|)/, '$1\\$2')
    .replace(/^(\s*\d{1,9})([.)]\s)/, '$1\\$2');
}

/** Markers around a text; spaces and line breaks stay outside of them. */
export function emphasis(text: string, open: string, close: string): string {
  return text
    .split('\n')
    .map((line) => {
      const words = line.trim();
      if (words === '') return line;
      const at = line.indexOf(words);
      return `${line.slice(0, at)}${open}${words}${close}${line.slice(at + words.length)}`;
    })
    .join('\n');
}

export function joinLines(text: string, by = ' '): string {
  return text.split('\n').join(by);
}
