import type { Resource } from '../../foundation/cache/representation-cache.ts';
import type { BuiltBody } from '../../foundation/cache/representation.ts';
import type { Clock } from '../../foundation/clock.ts';
import type { Database } from '../../foundation/database/database.ts';
import { notFound } from '../../foundation/http/http-problems.ts';
import { ProblemError } from '../../foundation/problem.ts';
import { recordTopics } from '../../record/index.ts';
import type { Addresses } from '../addresses.ts';
import { isStanding, presentStory } from './story-presenter.ts';
import type { Story } from './story-schema.ts';
import { readStory } from './story-store.ts';

export interface StoryDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly addresses: Addresses;
  readonly storyLayer: boolean;
}

/** How one form of a story is written, and where that form of another story lies. */
export interface StoryForm {
  readonly name: string;
  readonly path: (publicId: string) => string;
  readonly write: (story: Story) => BuiltBody;
}

/** Any id that PostgreSQL would read; one spelling of each, or the cache could be filled with copies of one story. */
const idForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function storyResource(deps: StoryDeps, publicId: string, form: StoryForm): Resource {
  if (!deps.storyLayer || !idForm.test(publicId)) throw storyNotFound();
  return {
    key: `${form.name} ${publicId}`,
    topics: [recordTopics.stories],
    build: async () => {
      const row = await readStory(deps.database, publicId);
      if (row === null) throw storyNotFound();
      if (row.merged_into !== null) return redirectTo(form.path(row.merged_into));
      if (!isStanding(row)) throw storyNotFound();
      return form.write(presentStory(row, deps.addresses, deps.clock.now()));
    },
  };
}

/** The same words whether there is no such story, or no story layer. */
function storyNotFound(): ProblemError {
  return new ProblemError(notFound, 'there is no such story');
}

function redirectTo(path: string): BuiltBody {
  return { status: 308, contentType: 'text/plain; charset=utf-8', body: '', headers: { location: path } };
}
