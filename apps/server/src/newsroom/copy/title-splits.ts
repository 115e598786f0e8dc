const titleParts =
  /(?<rest>.*?)(?<part>\s*(?:[([{<【（「《]|\/\/|[|｜;；:：]|——|—|–| - |[.。!?！？]\s*)\s*(?<order>.+))$/su;

/** Every part at the end of a title that can be an instruction, with the words before it; the longest is first. */
export function titleSplits(title: string): { readonly head: string; readonly order: string }[] {
  const splits: { readonly head: string; readonly order: string }[] = [];
  for (let from = 0; ;) {
    const found = titleParts.exec(title.slice(from))?.groups;
    if (found === undefined) return splits;
    const { rest = '', order = '' } = found;
    const head = title.slice(0, from + rest.length).trimEnd();
    if (head !== '') splits.push({ head, order });
    from += rest.length + 1;
  }
}
