import type { Database } from '../../foundation/database/database.ts';
import type { RecurringTask } from '../../foundation/engine/engine-declarations.ts';
import { saveSentences, selectWrittenAnswers } from './answer-store.ts';
import type { AnswerSources, SourceScope, StoredSentence } from './answer.ts';
import { showSentence } from './quote-sources.ts';

const answersPerRead = 200;
/** Words of a model that rest on files are never stored. */
const everyNews: SourceScope = {
  actor: null,
  agent: { readsPublicRecord: true, readsFiles: false, fileProjects: null },
};

interface Deps {
  readonly database: Database;
  readonly answerSources: Pick<AnswerSources, 'read'>;
}

/**
 * Once an hour, deletes stored sentences of models whose source was withdrawn or changed. They are not shown any more from
 * the moment of the withdrawal, since every read asks for the source.
 */
export function createWithdrawnTextRemoval(deps: Deps): RecurringTask {
  return {
    name: 'answer-withdrawals',
    every: 'hour',
    run: (context) => context.step('remove', () => removeWithdrawnText(deps)),
  };
}

/** Returns the number of sentences without their text. */
export async function removeWithdrawnText({ database, answerSources }: Deps): Promise<number> {
  let [after, removed]: [string | null, number] = [null, 0];
  for (;;) {
    const answers = await selectWrittenAnswers(database, { limit: answersPerRead, after });
    const written = answers.flatMap(({ sentences }) => sentences.filter(hasText));
    const sources = await answerSources.read(everyNews, written);
    const isWithdrawn = (sentence: StoredSentence): boolean => {
      const source = sources.find(({ kind, id }) => kind === sentence.kind && id === sentence.id);
      return hasText(sentence) && typeof showSentence(sentence, source) === 'string';
    };
    for (const { id, sentences } of answers) {
      const count = sentences.filter(isWithdrawn).length;
      if (count === 0) continue;
      const rest = sentences.map((one) => (isWithdrawn(one) ? { ...one, text: null } : one));
      await saveSentences(database, id, rest);
      removed += count;
    }
    after = answers.at(-1)?.id ?? null;
    if (answers.length < answersPerRead) return removed;
  }
}

const hasText = ({ text }: StoredSentence): boolean => typeof text === 'string';
