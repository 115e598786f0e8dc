/** The text of a chunk as it stands in a target: without blank lines around it, and with nothing left open. */
export function chunkBody(text: string): string {
  const body = text
    .replace(/\r\n?/g, '\n')
    .replace(/^(?:[ \t]*\n)+/, '')
    .trimEnd();
  return body + whatIsLeftOpen(body);
}

/** A fence or comment that the note never closed would swallow everything that is appended later. */
function whatIsLeftOpen(body: string): string {
  let fence = '';
  let inComment = false;
  for (const line of body.split('\n')) {
    const marker = /^[ \t>]*(`{3,}|~{3,})/.exec(line)?.[1] ?? '';
    if (fence === '' && !inComment && marker !== '') fence = marker;
    else if (fence !== '' && marker.startsWith(fence) && line.trim().replace(/^[> \t]+/, '') === marker)
      fence = '';
    else if (fence === '') inComment = inComment ? !line.includes('-->') : /<!--(?!.*-->)/.test(line);
  }
  if (fence !== '') return `\n${fence}`;
  return inComment ? '\n-->' : '';
}

/** What is added to the end of a file so that the piece stands apart from what is there. */
export function insertedSpan(before: string, pieces: readonly string[]): string {
  const eol = /\r\n/.test(before) ? '\r\n' : '\n';
  const gap =
    before === '' || /(?:\n|\r\n)\r?\n$/.test(before) ? '' : before.endsWith('\n') ? eol : eol + eol;
  return gap + pieces.join('\n').replace(/\n/g, eol) + eol;
}
