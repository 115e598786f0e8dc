import type { ListQuery, SearchQuery } from './file-answers.ts';
import { answerWithFileList, answerWithFileSearch, answerWithFileText } from './file-answers.ts';
import type { Properties, Tool } from './tool.ts';

const id = { type: 'string', minLength: 1, maxLength: 64 };
const paging: Properties = {
  limit: { type: 'integer', minimum: 1, maximum: 50 },
  cursor: { type: 'string', maxLength: 1024, description: 'nextCursor, other arguments unchanged' },
};
const output: Properties = {
  entries: { type: 'array', items: { required: ['id', 'kind', 'name'] } },
  nextCursor: { type: ['string', 'null'] },
};
const untrusted = ['entries.name', 'entries.passages'];

/** Only for a server that acts for an account; everything is read under its permissions. */
export const fileTools: readonly Tool[] = [
  {
    name: 'files_list',
    description: 'Projects of the account; with project, its folders and files, or those of a folder.',
    input: { project: id, folder: id, ...paging },
    output,
    untrusted,
    answer: (news, query: ListQuery) => answerWithFileList(news, query),
  },
  {
    name: 'files_search',
    description:
      'Files of the account whose text contains every word, with the lines around them; or folders and files by parts of their names.',
    input: {
      q: { type: 'string', minLength: 2, maxLength: 200 },
      in: { type: 'string', enum: ['text', 'names'], description: 'default text' },
      project: id,
      ...paging,
    },
    requiredInput: ['q'],
    output,
    untrusted,
    answer: (news, query: SearchQuery) => answerWithFileSearch(news, query),
  },
  {
    name: 'file_text',
    description: 'The text of a file, in parts of 20,000 characters.',
    input: { id, from: { type: 'integer', minimum: 0, description: 'nextFrom' } },
    requiredInput: ['id'],
    output: { name: { type: 'string' }, text: { type: 'string' }, nextFrom: { type: ['integer', 'null'] } },
    untrusted: ['name', 'text'],
    answer: (news, given: { readonly id: string; readonly from?: number }) => answerWithFileText(news, given),
  },
];
