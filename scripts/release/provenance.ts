export interface Subject {
  readonly name: string;
  readonly sha256: string;
}

export interface ProvenanceInput {
  readonly version: string;
  readonly commit: string;
  /** SHA-256 of package-lock.json. */
  readonly lockfile: string;
  /** The base of the image; null without an image. */
  readonly base: { readonly suite: string; readonly sha256: string } | null;
  readonly tools: Readonly<Record<string, string>>;
  readonly subjects: readonly Subject[];
}

/** An in-toto statement with the provenance of SLSA 1.0. It has no times, so that a second build writes the same. */
export function writeProvenance({
  version,
  commit,
  lockfile,
  base,
  tools,
  subjects,
}: ProvenanceInput): string {
  const statement = {
    _type: 'https://in-toto.io/Statement/v1',
    subject: subjects.map(({ name, sha256 }) => ({ name, digest: { sha256 } })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'urn:daybook:release:1',
        externalParameters: { version, commit },
        internalParameters: { platform: `${process.platform}-${process.arch}` },
        resolvedDependencies: [
          { uri: `urn:daybook:source:${version}`, digest: { gitCommit: commit } },
          { uri: 'urn:daybook:package-lock.json', digest: { sha256: lockfile } },
          ...(base === null
            ? []
            : [{ uri: `urn:daybook:base:debian-${base.suite}`, digest: { sha256: base.sha256 } }]),
        ],
      },
      runDetails: { builder: { id: 'urn:daybook:scripts:release.ts', version: tools } },
    },
  };
  return `${JSON.stringify(statement, null, 2)}\n`;
}
