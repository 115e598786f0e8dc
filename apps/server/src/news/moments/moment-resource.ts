import type { Resource } from '../../foundation/cache/representation-cache.ts';
import type { BuiltBody } from '../../foundation/cache/representation.ts';
import type { Clock } from '../../foundation/clock.ts';
import { invalidRequest } from '../../foundation/http/http-problems.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { isoMilliseconds, parseIsoDatetime } from '../../foundation/instant.ts';
import { ProblemError } from '../../foundation/problem.ts';
import type { RecordReader } from '../../record/index.ts';
import type { UncachedResource } from '../news-route.ts';

export interface MomentDeps {
  readonly record: RecordReader;
  readonly clock: Clock;
}

type PastRecord = ReturnType<RecordReader['at']>;
/** What stood in an answer. */
export type MomentSubject = Parameters<PastRecord['removals']>[0];

/** Throws unless it is a time of the past: the record of the future is not known. */
export function parseMoment(at: string, now: EpochMicroseconds): EpochMicroseconds {
  const parsed = parseIsoDatetime(at);
  if (!parsed.ok) throw invalidMoment('must be a time such as 2026-11-18T08:00:00Z');
  if (parsed.value > now) throw invalidMoment('must not be in the future');
  return parsed.value;
}

function invalidMoment(message: string): ProblemError {
  return new ProblemError(invalidRequest, `at ${message}`, {
    errors: [{ in: 'query', name: 'at', message }],
  });
}

/** The dependencies of a resource, with the record and the clock of that moment. */
export function depsAt<Deps extends MomentDeps>(deps: Deps, moment: EpochMicroseconds): Deps {
  return {
    ...deps,
    record: { ...deps.record, ...deps.record.at(moment) },
    clock: { ...deps.clock, now: () => moment },
  };
}

/** A resource as it is, or as it was at a moment: then built for one caller, because few ask for the same moment. */
export function atMoment<Deps extends MomentDeps>(
  deps: Deps,
  { at, subject, proof }: AsOf,
  make: (deps: Deps) => Resource,
): UncachedResource {
  if (at === undefined) return make(deps);
  const moment = parseMoment(at, deps.clock.now());
  const resource = make(depsAt(deps, moment));
  return {
    ...resource,
    key: `${resource.key} at ${moment}`,
    // It shows items that no narrow tag names: those of that moment.
    edgeTags: resource.cacheTags,
    uncached: true,
    build: async () => {
      const built = await resource.build();
      if (built.status === 308) return redirectAt(built, at);
      const asOf = {
        at: isoMilliseconds(moment),
        removed: (await deps.record.at(moment).removals(await subject(deps.record.at(moment)))).map(
          (removal) => ({ ...removal, at: isoMilliseconds(removal.at) }),
        ),
        proof: proof === null ? null : `${proof}?at=${encodeURIComponent(isoMilliseconds(moment))}`,
      };
      return { ...built, body: `${String(built.body).slice(0, -1)},"asOf":${JSON.stringify(asOf)}}` };
    },
  };
}

export interface AsOf {
  readonly at: string | undefined;
  readonly subject: (record: PastRecord) => Promise<MomentSubject>;
  /** The path of its proof; null: it has none of its own. */
  readonly proof: string | null;
}

function redirectAt(built: BuiltBody, at: string): BuiltBody {
  const location = built.headers?.['location'] ?? '';
  const parameter = `${location.includes('?') ? '&' : '?'}at=${encodeURIComponent(at)}`;
  return { ...built, headers: { ...built.headers, location: `${location}${parameter}` } };
}
