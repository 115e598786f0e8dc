export type * from './generated/news-api.ts';
