export { isTextQuery, searchTexts } from './search-texts.ts';
