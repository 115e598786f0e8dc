/** The section of a version in the changelog, without its heading. Null if it has none. */
export function readNotes(changelog: string, heading: string): string | null {
  const sections = changelog.split(/^## /m).slice(1);
  const section = sections.find((one) => {
    const [title = ''] = one.split('\n', 1);
    return title === heading || title.startsWith(`${heading} - `);
  });
  return section === undefined ? null : section.slice(section.indexOf('\n')).trim();
}
