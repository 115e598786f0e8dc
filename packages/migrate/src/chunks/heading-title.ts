const titleCharsMax = 200;

/** The words of a heading without its Markdown. */
export function headingTitle(source: string): string {
  const line = source
    .replace(/^\s*#{1,6}[ \t]*/, '')
    .replace(/[\r\n]+[ \t]*(?:=+|-+)[ \t]*$/, '')
    .replace(/[ \t]+#+[ \t]*$/, '');
  return line
    .replace(/!?\[\[(?:[^\]|]*\|)?([^\]]*)\]\]/g, '$1')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .replace(/[*`]+|(?<!\w)_+|_+(?!\w)/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, titleCharsMax);
}
