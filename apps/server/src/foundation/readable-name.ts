/**
 * Characters that no name may contain, for the brackets of a regular expression: control characters, characters that
 * are invisible or change the direction of following text (bidi controls), and line breaks.
 */
const unreadable = '\\p{C}\\p{Zl}\\p{Zp}';

/** For the schema of a name: nothing unreadable, and no blanks at its ends. */
export const readableNamePattern = `^[^\\s${unreadable}](?:[^${unreadable}]*[^\\s${unreadable}])?$`;

/** The same where blanks at the ends are trimmed afterwards. */
export const untrimmedNamePattern = `^ *${readableNamePattern.slice(1, -1)} *$`;

const readableName = new RegExp(readableNamePattern, 'u');

export function isReadableName(text: string): boolean {
  return readableName.test(text);
}
