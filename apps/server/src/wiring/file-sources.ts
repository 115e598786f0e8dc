import type { answers } from '../agents/index.ts';
import { isoMilliseconds } from '../foundation/instant.ts';
import { languageOfText } from '../foundation/reader-language.ts';
import type { StorageDeps } from '../storage/index.ts';
import { texts } from '../storage/index.ts';

type Source = answers.CitableSource;

/** Read around quotations, which another version of a file can have elsewhere. */
const nearChars = 20_000;
const languageChars = 2_000;

/** The texts of files that the caller of an agent can read: rights are compared in every query. */
export function createFileSources(
  storage: Pick<StorageDeps, 'database'>,
  baseUrl: string,
): Pick<answers.AnswerSources, 'find' | 'read'> {
  const addressOf = (org: string, id: string): string => `${baseUrl}/platform/${org}/files/${id}/text`;
  return {
    find: async ({ actor, agent }, { queries }) => {
      if (actor === null || !agent.readsFiles) return [];
      const found = await texts.findQuotableTexts(storage, actor, {
        queries,
        projectIds: agent.fileProjects,
      });
      return found.map((file) => fileSource(file, addressOf(actor.organization.key, file.id)));
    },
    read: async ({ actor, agent }, references) => {
      if (actor === null || !agent.readsFiles) return [];
      const found: Source[] = [];
      // One text in memory at a time.
      for (const [id, cited] of Map.groupBy(references, (one) => one.id)) {
        const file = await texts.readQuotableText(storage, actor, id, agent.fileProjects);
        if (file === null) continue;
        const source = fileSource(file, addressOf(actor.organization.key, id));
        found.push(near(source, cited));
      }
      return found;
    },
  };
}

function fileSource({ id, name, version, changedAt, text }: texts.ReadableText, url: string): Source {
  return {
    kind: 'file',
    id,
    title: name,
    text,
    day: isoMilliseconds(changedAt).slice(0, 10),
    language: languageOfText(text.slice(0, languageChars)),
    url,
    publisher: null,
    version,
  };
}

/** With the part of the text around its quotations, copied: a slice would retain the whole text. */
function near(source: Source, cited: Parameters<answers.AnswerSources['read']>[1]): Source {
  const starts = cited.map(({ file }) => file?.start ?? 0);
  const ends = cited.map(({ file }) => file?.end ?? 0);
  const textStart = Math.max(0, Math.min(...starts) - nearChars);
  const part = source.text.slice(textStart, Math.max(...ends) + nearChars);
  return { ...source, text: Buffer.from(part, 'utf16le').toString('utf16le'), textStart };
}
