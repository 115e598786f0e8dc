export interface MirrorItem {
  readonly id: string;
  readonly title: string;
  readonly originalTitle: string | null;
  readonly summary: string;
  readonly source: { readonly name: string };
  readonly links: { readonly item: string; readonly original: string };
  readonly publishedAt: string | null;
  readonly discoveredAt: string;
  readonly category: string;
}

export interface SnapshotPage {
  readonly cursor: string;
  readonly nextPage: string | null;
  readonly items: readonly MirrorItem[];
}

export interface SetCheck {
  readonly version: number;
  readonly size: number;
  readonly hash: string;
}

export interface ChangesPage {
  readonly cursor: string;
  readonly hasMore: boolean;
  readonly changes: readonly (
    | { readonly op: 'upsert'; readonly item: MirrorItem }
    | { readonly op: 'remove'; readonly id: string }
  )[];
  readonly set?: SetCheck;
}

/** Where a mirror reads from. */
export interface MirrorSource {
  readonly snapshot: (limit: number, page: string | null) => Promise<SnapshotPage>;
  readonly changes: (limit: number, cursor: string) => Promise<ChangesPage>;
}

export function httpMirrorSource(baseUrl: string): MirrorSource {
  const get = async (path: string, query: Record<string, string>): Promise<unknown> => {
    const response = await fetch(
      `${baseUrl}/api/v1/selected/${path}?${new URLSearchParams(query).toString()}`,
    );
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
  return {
    snapshot: async (limit, page) =>
      (await get('snapshot', { limit: String(limit), ...(page !== null && { page }) })) as SnapshotPage,
    changes: async (limit, cursor) => (await get('changes', { limit: String(limit), cursor })) as ChangesPage,
  };
}
