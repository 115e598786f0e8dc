import { describe, expect, test } from 'vitest';

import { checkSentence } from './check-sentence.ts';
import type { FindingKind } from './finding.ts';
import { readSource } from './source.ts';

const published = Temporal.PlainDate.from('2026-03-18');

const english = readSource(
  `Halvoric Motors sold 41,200 vans in February, the second-highest monthly total on record, the company said on Monday.

Revenue rose 6.4 percent to $8.3 billion last quarter, while operating costs fell 2.1 percent to $5.9 billion. Analysts had expected revenue of $8.1 billion.

Chief executive Mara Lindqvist said: “We are no longer chasing volume at any price.” Her deputy Tobias Renner did not attend the call.

Ostrava Rail has agreed to sell its workshop in Leeds to Halvoric Motors. The deal could bring in up to £310 million, and it is expected to close in June.

At least 240 workers will keep their jobs, and just over half of them live near the site. The regulator approved the sale, and the union supports it. Denholm Union denies the report of a strike.

Halvoric was founded in 1998 and moved to Leeds in 2011. It acquired Brennick Tools in 2019. Electricity costs $0.07/kWh at the site. Shares closed at a 4 percent discount to the offer.`,
  { published },
);

const chinese = readSource(
  `海雲電力去年盈利52.6億元人民幣，按年升近9%，按季跌逾3%。派末期息每股0.31港元。單計上季收入118億元，維持於三年高位。

集團行政總裁盧穎恩表示，有關安排「既公平亦透明」，至於收購價，她未有透露。財務總監鄭柏然將於下月12日接替退休的關美儀。

運輸署署長梁廣成說，計劃未來兩年再增設至少60個充電站，預計投資額達4億元。

警方接報，一輛貨車在青山公路撞向巴士，造成兩死五傷，39歲貨車男司機被捕，31歲巴士女車長受傷。警方相信意外由機件故障引致，現階段無證據顯示涉及酒駕。約80名乘客自行離開。`,
  { published },
);

function kinds(sentence: string): FindingKind[] {
  const source = /\p{Script=Han}/u.test(sentence) ? chinese : english;
  return [...new Set(checkSentence(sentence, [source]).map(({ kind }) => kind))];
}

/** Class, true paraphrase, the same sentence with one error. */
type Row = readonly [name: FindingKind, truth: string, error: string];

const rows: readonly Row[] = [
  ['bound', 'At least 240 workers keep their jobs.', 'At most 240 workers keep their jobs.'],
  ['bound', 'The deal could bring in up to £310 million.', 'The deal could bring in at least £310 million.'],
  [
    'bound',
    'Just over half of the workers live near the site.',
    'Just under half of the workers live near the site.',
  ],
  ['bound', '海云电力去年盈利按年升近9%。', '海云电力去年盈利按年升逾9%。'],
  ['bound', '約80名乘客自行離開。', '逾80名乘客自行離開。'],
  [
    'opposite',
    'Revenue climbed 6.4 percent to $8.3 billion.',
    'Revenue dropped 6.4 percent to $8.3 billion.',
  ],
  ['opposite', 'The regulator approved the sale.', 'The regulator rejected the sale.'],
  [
    'opposite',
    'Denholm Union denies the report of a strike.',
    'Denholm Union admits the report of a strike.',
  ],
  [
    'opposite',
    'Shares closed at a 4 percent discount to the offer.',
    'Shares closed at a 4 percent premium to the offer.',
  ],
  ['opposite', '盈利按年上升近9%。', '盈利按年下降近9%。'],
  [
    'value',
    'Operating costs fell 2.1 percent to $5.9 billion.',
    'Operating costs fell 2.1 percent to $8.3 billion.',
  ],
  [
    'value',
    'Analysts had expected revenue of $8.1 billion.',
    'Analysts had expected revenue of $8.3 billion.',
  ],
  ['value', '39歲貨車男司機被捕。', '31歲貨車男司機被捕。'],
  ['certainty', 'The deal is expected to close in June.', 'The deal closed in June.'],
  ['certainty', '運輸署預計投資額達4億元。', '運輸署已投資達4億元。'],
  ['opposite', '警方相信意外由機件故障引致。', '警方證實意外由機件故障引致。'],
  ['period', 'Halvoric sold 41,200 vans in February.', 'Halvoric sold 41,200 vans in March.'],
  ['period', 'Halvoric acquired Brennick Tools in 2019.', 'Halvoric acquired Brennick Tools in 2011.'],
  ['period', '海雲電力去年盈利52.6億元人民幣。', '海雲電力前年盈利52.6億元人民幣。'],
  ['period', '鄭柏然將於下月12日接替關美儀。', '鄭柏然將於本月12日接替關美儀。'],
  [
    'ordinal',
    'The 41,200 vans were the second-highest monthly total on record.',
    'The 41,200 vans were the highest monthly total on record.',
  ],
  [
    'speaker',
    'Mara Lindqvist said the company was “no longer chasing volume”.',
    'Tobias Renner said the company was “no longer chasing volume”.',
  ],
  ['speaker', '盧穎恩說，有關安排「既公平亦透明」。', '運輸署署長說，有關安排「既公平亦透明」。'],
  [
    'role',
    'Ostrava Rail agreed to sell its workshop to Halvoric Motors.',
    'Halvoric Motors agreed to sell its workshop to Ostrava Rail.',
  ],
  ['role', '鄭柏然將接替關美儀。', '關美儀將接替鄭柏然。'],
  ['negation', 'Tobias Renner did not attend the call.', 'Tobias Renner did attend the call.'],
  ['negation', '現階段無證據顯示涉及酒駕。', '現階段有證據顯示涉及酒駕。'],
  ['unit', 'Electricity costs $0.07/kWh at the site.', 'Electricity costs $0.07/W at the site.'],
  ['unit', '海雲電力派末期息每股0.31港元。', '海雲電力派末期息每股0.31美元。'],
  ['unit', '意外造成兩死五傷。', '意外造成五死兩傷。'],
];

describe('a true paraphrase passes, and the same sentence with one error is refused', () => {
  test.each(rows)('%s: %s', (kind, truth, error) => {
    expect(kinds(truth)).toEqual([]);
    expect(kinds(error)).toContain(kind);
  });
});

test('a quotation matches whole words only', () => {
  const source = readSource('The minister called the strike “illegal and unwise”.');
  expect(checkSentence('The minister called the strike “legal and unwise”.', [source])).toEqual([
    { kind: 'quotation', text: 'legal and unwise' },
  ]);
});

test('simplified and traditional characters are equal, also in names and aliases', () => {
  expect(kinds('郑柏然将接替关美仪。')).toEqual([]);
  const source = readSource('海雲電力去年盈利上升。', { aliases: [['Haiyun Power', '海云电力']] });
  expect(checkSentence('Haiyun Power earned more last year.', [source])).toEqual([]);
});

test('a single Chinese character is not a name', () => {
  expect(kinds('盧穎恩稱安排比較公平。')).toEqual([]);
});

test('a comparison may be stated from the other side', () => {
  const source = readSource('Ferrand is cheaper and faster than Oskild.');
  expect(checkSentence('Oskild is slower than Ferrand.', [source])).toEqual([]);
  expect(checkSentence('Ferrand is slower than Oskild.', [source]).map(({ kind }) => kind)).toEqual([
    'opposite',
  ]);
});
