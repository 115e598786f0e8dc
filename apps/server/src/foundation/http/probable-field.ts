const distanceMax = 2;

/** The known name that was probably meant: another spelling, or one that differs in one or two letters. */
export function probableField(unknown: string, known: readonly string[]): string | null {
  const wanted = plain(unknown);
  const byDistance = known
    .map((name) => ({ name, distance: editDistance(wanted, plain(name)) }))
    .filter(({ name, distance }) => distance <= Math.min(distanceMax, Math.floor(plain(name).length / 3)))
    .sort((a, b) => a.distance - b.distance);
  return byDistance[0]?.name ?? null;
}

/** `expiresAt`, `expires_at` and `Expires-At` are one. */
function plain(name: string): string {
  return name
    .slice(0, 100)
    .toLowerCase()
    .replaceAll(/[_\s-]/g, '');
}

/** Insertions, deletions and replacements of one letter. */
function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1)
      next.push(
        Math.min(
          (next[j - 1] ?? 0) + 1,
          (row[j] ?? 0) + 1,
          (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1),
        ),
      );
    row = next;
  }
  return row[other.length] ?? 0;
}
