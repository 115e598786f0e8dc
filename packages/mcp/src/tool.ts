import type { McpNews, NewsAnswer } from './news.ts';

export type Properties = Readonly<Record<string, object>>;

export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly input: Properties;
  readonly requiredInput?: readonly string[];
  readonly output: Properties;
  /** Fields of the output that third parties wrote, with all below them; the path of an array leads through its elements. */
  readonly untrusted: readonly string[];
  /** Stores something; listed only for callers with credentials. */
  readonly isSignedIn?: true;
  readonly answer: (news: McpNews, given: never) => Promise<NewsAnswer>;
}
