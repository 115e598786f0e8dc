import { checkCatalogues } from '../../../../test/catalogue-check.ts';
import { chineseWords } from './chinese.ts';
import { englishWords } from './english.ts';

checkCatalogues({ english: englishWords, chinese: chineseWords }, ['site']);
