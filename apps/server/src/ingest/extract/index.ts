export { extractArticle } from './extract-article.ts';
export { hasParts, headlineOf, sharedTitleEnds } from './headline.ts';
