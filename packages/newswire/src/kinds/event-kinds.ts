import type { KindName } from '../dispatch.ts';
import type { EventKind } from '../grammar/event-kind.ts';
import { acquisition } from './acquisition.ts';
import { benchmarkResult } from './benchmark-result.ts';
import { datacentre } from './datacentre.ts';
import { fundingRound } from './funding-round.ts';
import { lawsuit } from './lawsuit.ts';
import { modelRelease } from './model-release.ts';
import { openWeights } from './open-weights.ts';
import { opinionPiece } from './opinion-piece.ts';
import { partnership } from './partnership.ts';
import { priceCut } from './price-cut.ts';
import { productFeature } from './product-feature.ts';
import { regulation } from './regulation.ts';
import { researchPaper } from './research-paper.ts';
import { securityIncident } from './security-incident.ts';
import { serviceOutage } from './service-outage.ts';
import { staffDeparture } from './staff-departure.ts';
import { workingTip } from './working-tip.ts';

/** Every kind with how often it is a single item and how often it opens a story. */
const shares: readonly (readonly [kind: EventKind, alone: number, story: number])[] = [
  [modelRelease, 8, 16],
  [benchmarkResult, 6, 7],
  [fundingRound, 7, 9],
  [acquisition, 4, 7],
  [lawsuit, 4, 7],
  [regulation, 4, 6],
  [serviceOutage, 4, 6],
  [securityIncident, 4, 6],
  [researchPaper, 14, 5],
  [openWeights, 5, 7],
  [priceCut, 4, 6],
  [partnership, 6, 6],
  [staffDeparture, 4, 6],
  [datacentre, 5, 6],
  [productFeature, 9, 6],
  [workingTip, 10, 0],
  [opinionPiece, 8, 0],
];

const byName = new Map<KindName, EventKind>(shares.map(([kind]) => [kind.name, kind]));

export const aloneKinds: readonly EventKind[] = shares.flatMap(([kind, times]) =>
  Array<EventKind>(times).fill(kind),
);
export const storyKinds: readonly EventKind[] = shares.flatMap(([kind, , times]) =>
  Array<EventKind>(times).fill(kind),
);

/** Kinds that can follow in a storyline; columns and guides do not make stories. */
export function successors(kind: EventKind): readonly EventKind[] {
  return kind.leadsTo.flatMap((name) => {
    const next = byName.get(name);
    return next === undefined ? [] : [next];
  });
}
