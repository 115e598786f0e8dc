import type { Resource } from '../../foundation/cache/representation-cache.ts';
import { notFound } from '../../foundation/http/http-problems.ts';
import { idForm } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { isoMilliseconds } from '../../foundation/instant.ts';
import type { ProblemDefinition } from '../../foundation/problem.ts';
import { ProblemError } from '../../foundation/problem.ts';
import { itemTag } from '../../record/index.ts';
import { jsonBody } from '../json-body.ts';
import type { LanguageQuery } from '../reader-language-query.ts';
import type { ItemsDeps } from './items-representation.ts';
import { itemCacheTags, sentItem } from './items-representation.ts';

export const withdrawn: ProblemDefinition = {
  code: 'withdrawn',
  kind: 'gone',
  title: 'Withdrawn',
  explanation:
    'The item was published and later withdrawn, for example because its publisher retracted it. Delete your copy. Withdrawals are permanent.',
};

/** One item of any age. Accepts only the canonical spelling of an id, so that variants cannot fill the cache. */
export function itemResource(
  deps: ItemsDeps,
  { id, language = deps.language }: LanguageQuery & { readonly id: string },
): Resource {
  if (!idForm.test(id)) throw itemNotFound();
  return {
    key: `item ${id} ${language}`,
    cacheTags: itemCacheTags,
    edgeTags: [itemTag(id)],
    build: async () => {
      const found = await deps.record.item(id);
      if (found === null) throw itemNotFound();
      if (found.state === 'withdrawn') throw withdrawnItem(found.withdrawnAt, deps.clock.now());
      return jsonBody(`{"schemaVersion":1,"item":${sentItem({ ...deps, language }, found)}}`);
    },
  };
}

/** At a moment before the withdrawal, the item stood here. */
function withdrawnItem(at: EpochMicroseconds, moment: EpochMicroseconds): ProblemError {
  const stood = at > moment ? ' It was published at the requested time.' : '';
  return new ProblemError(withdrawn, `This item was withdrawn at ${isoMilliseconds(at)}.${stood}`);
}

function itemNotFound(): ProblemError {
  return new ProblemError(notFound, 'Item not found.');
}
