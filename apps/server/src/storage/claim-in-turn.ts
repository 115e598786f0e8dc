/**
 * Claims work of several owners in turn. `claim` takes the next piece of the owners behind the given one, in the order of
 * their ids; null: it begins with the first owner.
 */
export function claimInTurn<Work, OwnerId>(
  claim: (after: OwnerId | null) => Promise<Work | null>,
  ownerOf: (work: Work) => OwnerId,
): () => Promise<Work | null> {
  let last: OwnerId | null = null;
  return async () => {
    const after = last;
    const work = (await claim(after)) ?? (after === null ? null : await claim(null));
    last = work === null ? null : ownerOf(work);
    return work;
  };
}
