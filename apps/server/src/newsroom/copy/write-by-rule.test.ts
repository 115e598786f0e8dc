import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { extractSummary } from './extractive-summary.ts';
import { titleByRule } from './title-by-rule.ts';
import { writeByRule } from './write-by-rule.ts';
import { titleCharsMax } from './writer.ts';

const article = [
  'Veltrane has raised $1.2 billion in a Series B round led by Ninth Ferry Partners, the company said on Thursday.',
  'It was a good day.',
  'Everybody likes to read about money, and there is a lot of it around these days, as many have noticed.',
  'The company, which employs 1,630 people in Linjiang, plans 4 data centres of 300 megawatts with Halvoric.',
  'Subscribe to our newsletter for more.',
  'What comes next?',
].join(' ');

describe('a summary by rule', () => {
  test('contains the sentences with the facts, not the first ones', () => {
    const summary = extractSummary({
      title: 'Veltrane raises',
      text: article,
      language: 'en',
      charsMax: 230,
    });
    expect(summary).toBe(
      'Veltrane has raised $1.2 billion in a Series B round led by Ninth Ferry Partners, the company said on Thursday. ' +
        'The company, which employs 1,630 people in Linjiang, plans 4 data centres of 300 megawatts with Halvoric.',
    );
  });

  test('omits questions, calls to subscribe, headings and parts of longer quotations', () => {
    const text =
      'NEW PRICES\nSubscribe to get 50 % off at Veltrane.\nWhy 3 GPUs?\nHe said: “Veltrane has 5 of them.\nHalvoric sold 7 of them.';
    expect(extractSummary({ title: '', text, language: 'en', charsMax: 400 })).toBe(
      'Halvoric sold 7 of them.',
    );
  });

  test('contains a sentence that begins with a pronoun only after the sentence it refers to', () => {
    const text =
      'Nothing much happened in the morning at all. Veltrane met Halvoric in Linjiang for talks. It paid $5 million for 30 servers.';
    const summary = extractSummary({ title: '', text, language: 'en', charsMax: 110 });
    expect(summary).toBe('Veltrane met Halvoric in Linjiang for talks. It paid $5 million for 30 servers.');
    expect(extractSummary({ title: '', text, language: 'en', charsMax: 45 })).not.toContain('It paid');
  });

  test.each([
    'The minister’s office did not answer a request for comment from Veltrane.',
    'The views expressed here by Halvoric are not those of Veltrane.',
    'Good morning from Veltrane, with 3 things that Halvoric did in Linjiang.',
    'Additional reporting by Mara Quill and Tobias Renn in Linjiang.',
    'Halvoric Server Concept.',
    'DL Mara Quill 29 39% 1 assist (1 combined).',
    'Be sure to visit Veltrane in Linjiang.',
    '[2] Quill and Renn, Journal of Servers 28, Linjiang 2015.',
    '广告声明：文内含有 3 个对外跳转链接，砚石智能所有文章均包含本声明。',
    '作者：砚石智能编辑部 3 人，奥斯特兰。',
  ])('leaves out what a publisher says about itself, captions and rows of tables: %j', (sentence) => {
    const text = `Halvoric sold 7 of them.\n${sentence}`;
    expect(extractSummary({ title: '', text, language: 'en', charsMax: 400 })).toBe(
      'Halvoric sold 7 of them.',
    );
  });

  test.each([
    ['LINJIANG — Veltrane has 3 servers.', 'Veltrane has 3 servers.'],
    ['LINJIANG, Oct. 3, 2026 (GLOBE NEWSWIRE) -- Veltrane has 3 servers.', 'Veltrane has 3 servers.'],
    ['LINJIANG--(BUSINESS WIRE)--Veltrane has 3 servers.', 'Veltrane has 3 servers.'],
    ['Linjiang (Reuters) - Veltrane has 3 servers.', 'Veltrane has 3 servers.'],
    ['NEW LINJIANG: Veltrane has 3 servers.', 'Veltrane has 3 servers.'],
    ['VELTRANE — Halvoric sold 3 servers to VELTRANE.', 'VELTRANE — Halvoric sold 3 servers to VELTRANE.'],
    [
      'Veltrane — The maker of 3 servers — left Linjiang.',
      'Veltrane — The maker of 3 servers — left Linjiang.',
    ],
    ['IT之家 5 月 3 日消息，奥斯特兰周三完成 13.8 亿美元融资。', '奥斯特兰周三完成 13.8 亿美元融资。'],
    ['新华社北京5月3日电 奥斯特兰周三完成 13.8 亿美元融资。', '奥斯特兰周三完成 13.8 亿美元融资。'],
    ['36氪获悉，奥斯特兰周三完成 13.8 亿美元融资。', '奥斯特兰周三完成 13.8 亿美元融资。'],
    ['(Reuters) — Veltrane has 3 servers.', 'Veltrane has 3 servers.'],
    ['Nov. 3, 2026 -- Veltrane has 3 servers.', 'Veltrane has 3 servers.'],
    ['Linjiang, DC, United States: Veltrane has 3 servers.', 'Veltrane has 3 servers.'],
    ['Servers for everybody\nLINJIANG, South Korea — Veltrane has 3 servers.', 'Veltrane has 3 servers.'],
    ['New Linjiang, NY – Veltrane has 3 servers.', 'Veltrane has 3 servers.'],
    ['临江晚报讯（记者 马岚）奥斯特兰周三完成 13.8 亿美元融资。', '奥斯特兰周三完成 13.8 亿美元融资。'],
    ['临江科技讯 北京时间5月3日凌晨消息，奥斯特兰完成 13.8 亿美元融资。', '奥斯特兰完成 13.8 亿美元融资。'],
    ['Summary: Veltrane has 3 servers.', 'Veltrane has 3 servers.'],
    ['摘要：奥斯特兰周三完成 13.8 亿美元融资。', '奥斯特兰周三完成 13.8 亿美元融资。'],
    [
      '据路透社 5 月 3 日报道，奥斯特兰完成 13.8 亿美元融资。',
      '据路透社 5 月 3 日报道，奥斯特兰完成 13.8 亿美元融资。',
    ],
  ])('begins after the place and agency of a dateline: %j', (text, summary) => {
    expect(writeByRule({ title: 'News', text, language: 'en', sourceName: '' }).summary).toBe(summary);
  });

  const written = (title: string, ...lines: readonly string[]): string =>
    writeByRule({ title, text: lines.join('\n'), language: 'en', sourceName: '' }).summary;

  test('begins with the opening of the text, although later sentences contain more facts', () => {
    const opening = 'The city council has decided to close the old harbour to all ships next year.';
    const facts = (at: number): string =>
      `In ${2010 + at} Halvoric, Veltrane and Ninth Ferry moved ${at + 3}.2 million tonnes through Linjiang and Oster.`;
    const summary = written(
      'Council closes the old harbour',
      opening,
      ...[1, 2, 3, 4, 5, 6, 7, 8].map(facts),
    );
    expect(summary.startsWith(opening)).toBe(true);
  });

  test('prefers the sentence about the subject of the title to an anecdote in the first person', () => {
    const anecdote = 'I still remember the day in 2010 when I held my first Halvoric server in my hands.';
    const news = 'Halvoric opened a hall with 40 new servers in Linjiang on Monday.';
    expect(written('Halvoric opens a hall in Linjiang', anecdote, news)).toMatch(/^Halvoric opened/u);
  });

  test('does not state the same fact in two sentences', () => {
    const standfirst = 'Halvoric opens a large hall for 40 servers in Linjiang.';
    const lead = 'Halvoric opens on Monday a large new hall for 40 servers in Linjiang, its third one.';
    const summary = written('A hall of servers', standfirst, lead, 'Mara Quill paid 7 million dollars.');
    expect(summary.match(/40 servers/gu)).toHaveLength(1);
    expect(summary).toContain('7 million');
  });

  test.each([
    'Halvoric will open 3 halls in Linjiang before the end of…',
    'Halvoric will open 3 halls in Linjiang before the end of [...]',
    'Halvoric will open 3 halls in Linjiang before the end of the',
  ])('cuts a truncated text back to its last whole sentence: %j', (rest) => {
    const whole = 'Halvoric sold 7 servers to Veltrane on Monday.';
    expect(written('Servers', `${whole} ${rest}`)).toBe(whole);
  });

  test.each([
    '“We will open 3 halls in Linjiang before the end of 2027.”',
    '(See the description of 3 halls in Linjiang by Halvoric.)',
    'Includes 3 cables by Oster and a warranty of 90 days.',
    '[quill] Oster joins the team of 3 today.',
    'Updated 7 days a week, 365 days a year in Linjiang.',
    'Halvoric did not respond to repeated requests by 5 reporters.',
    'The post Servers in Linjiang and 3 halls appeared first on Oster Notes.',
    'Get access to 30 reports by Oster for as little as 599 rupees.',
    'For more insights on 3 halls, visit oster.com.',
    'Mara Quill is an engineer who lives in Linjiang with her husband and 3 cats.',
    'if (servers < 30) { revert NotEnough(Oster, 30); } the rest is fine.',
    '截至发稿时，砚石智能的 3 位发言人未作答复。',
  ])('leaves out quotations without a speaker, asides and notes about the page: %j', (line) => {
    const whole = 'Halvoric sold 7 servers to Veltrane on Monday.';
    expect(written('Servers', whole, line)).toBe(whole);
  });

  test('leaves out the middle of a quotation of several sentences', () => {
    const whole = 'Halvoric sold 7 servers to Veltrane on Monday.';
    const speech = 'Mara Quill said: “Linjiang is big. Oster has 30 halls of that size. Nobody visits them.”';
    expect(written('Servers', whole, speech)).toBe(whole);
  });

  test('contains a sentence that refers to another one only after that one', () => {
    const whole = 'Halvoric sold 7 servers to Veltrane on Monday.';
    for (const line of [
      'At first they paid 30 million dollars in Linjiang.',
      'Oster sold this hall to 3 banks in Linjiang.',
      'Yes, Oster sold the hall to 3 banks in Linjiang.',
      'The former sold the hall to 3 banks in Linjiang.',
      'Two, his hall was sold to 3 banks in Linjiang.',
      'Selling the hall to 3 banks, she said, is the next step.',
      '最近，他向 3 家银行推荐了临江的机房。',
    ])
      expect(written('Servers', whole, 'What else?', line)).toBe(whole);
  });

  test('uses a name alone only after the sentence that introduces it', () => {
    const whole = 'Halvoric sold 7 servers to Veltrane on Monday.';
    const introduction = `Mara Quill, who ${'and who '.repeat(60)}runs Halvoric, agreed.`;
    const alone = 'Quill paid 30 million dollars for 3 halls in Linjiang.';
    expect(written('Servers', whole, introduction, alone)).toBe(whole);
    expect(written('Quill sells servers', whole, introduction, alone)).toBe(`${whole} ${alone}`);
    expect(written('Servers', whole, 'Mara Quill has owned Halvoric for many years.', alone)).toBe(
      `${whole} Mara Quill has owned Halvoric for many years. ${alone}`,
    );
  });

  test('does not begin with a sentence that continues another text', () => {
    const news = 'Halvoric sold 7 servers to Veltrane in Linjiang on Monday.';
    for (const line of [
      'She added that Oster may appeal the sale of 7 servers.',
      'Courts in Oster, however, have allowed the sale of servers.',
      'Halls also do not mean much to Oster without 3 servers in them.',
    ])
      expect(written('Halvoric sells servers', line, news)).toMatch(/^Halvoric sold/u);
  });

  test('leaves out the rest of a sentence after an ellipsis or a quoted question', () => {
    const whole = 'Halvoric sold 7 servers to Veltrane on Monday.';
    expect(written('Servers', `${whole} “Do 3 halls exist?” Mara Quill asked in front of 30 people.`)).toBe(
      whole,
    );
    expect(written('Servers', `${whole} The hall is full of cables ... 6,000 white Oster cables.`)).toBe(
      whole,
    );
  });

  test('joins Chinese sentences without spaces', () => {
    const text = '奥斯特兰周三完成 13.8 亿美元融资。天气很好，大家都很高兴。公司目前约有 138 名员工。';
    expect(extractSummary({ title: '', text, language: 'zh', charsMax: 40 })).toBe(
      '奥斯特兰周三完成 13.8 亿美元融资。公司目前约有 138 名员工。',
    );
  });

  test('is empty if no whole sentence fits', () => {
    expect(extractSummary({ title: '', text: article, language: 'en', charsMax: 30 })).toBe('');
    expect(writeByRule({ title: 'A', text: '', language: 'en', sourceName: 'B' }).summary).toBe('');
  });

  test('does not repeat the title', () => {
    const title = 'Veltrane has raised $1.2 billion for 30 servers.';
    expect(
      extractSummary({ title, text: `${title} Halvoric did not.`, language: 'en', charsMax: 400 }),
    ).not.toContain(title);
  });

  test('does not repeat the title with an additional word', () => {
    const title = 'Veltrane sold 30 servers to Halvoric in Linjiang';
    const text =
      'Veltrane sold 30 servers to Halvoric in Linjiang on. Halvoric paid 7 million dollars for them.';
    expect(extractSummary({ title, text, language: 'en', charsMax: 400 })).toBe(
      'Halvoric paid 7 million dollars for them.',
    );
  });

  test('prefers reported facts to speech if both name as much', () => {
    const text = [
      'Veltrane sold its servers in Linjiang last week.',
      '“We at Halvoric and Ninth Ferry will miss all of them very much,” Mara Quill said.',
      'Halvoric and Ninth Ferry bought most of the servers, and Mara Quill kept the rest.',
    ].join(' ');
    expect(extractSummary({ title: 'Veltrane sells servers', text, language: 'en', charsMax: 140 })).toBe(
      'Veltrane sold its servers in Linjiang last week. Halvoric and Ninth Ferry bought most of the servers, and Mara Quill kept the rest.',
    );
  });

  test('never exceeds its limit, never cuts a sentence, and is deterministic for any text', () => {
    const piece = fc.constantFrom(
      'Veltrane raised $5 million. ',
      'It grew by 12 %. ',
      '“No,” said Halvoric. ',
      '砚石智能融资 3 亿美元。',
      'Mr. Smith left. ',
      'x'.repeat(90),
      '. ',
      '\n',
      '？',
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 25 }),
        fc.integer({ min: 0, max: 300 }),
        (pieces, charsMax) => {
          const text = pieces.join('');
          const summary = extractSummary({ title: '', text, language: 'en', charsMax });
          expect(summary.length).toBeLessThanOrEqual(charsMax);
          expect(summary === '' || /[.。]$/u.test(summary)).toBe(true);
          expect(extractSummary({ title: '', text, language: 'en', charsMax })).toBe(summary);
        },
      ),
    );
  });
});

describe('a title by rule', () => {
  test.each([
    ['  Veltrane\n raises ', 'Veltrane raises'],
    ['Veltrane raises | The Halden Wire', 'Veltrane raises'],
    ['Veltrane raises - The Halden Wire', 'Veltrane raises'],
    ['Veltrane raises | Opinion', 'Veltrane raises | Opinion'],
    ['Q&amp;A: &quot;late&quot;', 'Q&A: "late"'],
    ['A - B', 'A - B'],
  ])('%j becomes %j', (title, expected) =>
    expect(titleByRule({ title, sourceName: 'The Halden Wire' })).toBe(expected),
  );

  test('preserves the words of the source and has a limit', () => {
    const long = titleByRule({ title: 'word '.repeat(200), sourceName: '' });
    expect(long.length).toBeLessThanOrEqual(titleCharsMax);
    expect(long).toMatch(/word…$/u);
  });

  test('marks nothing as translated', () => {
    const copy = writeByRule({ title: '标题', text: '', language: 'zh', sourceName: '' });
    expect(copy).toEqual({ title: '标题', originalTitle: null, summary: '', language: 'zh' });
  });
});

test('text designed to be slow is processed in bounded time', () => {
  const pieces = [
    'a',
    'Aa ',
    '1,',
    '$1 million ',
    'May 12, 2026 ',
    '维尔川',
    '槎',
    '一二万亿',
    '“',
    '‘a',
    '. ',
    '。',
    '维·',
    'ignore all previous ',
    '\n',
  ];
  for (const piece of pieces) {
    const text = piece.repeat(Math.ceil(200_000 / piece.length));
    const started = performance.now();
    writeByRule({ title: text, text, language: 'en', sourceName: 'x' });
    // Far above the time on a busy machine, far below the time of a quadratic algorithm.
    expect([piece, performance.now() - started < 8_000]).toEqual([piece, true]);
  }
});
