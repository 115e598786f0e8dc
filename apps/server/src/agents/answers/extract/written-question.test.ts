import { describe, expect, test } from 'vitest';

import { asWritten } from './written-question.ts';

describe('a question as news would put it', () => {
  test.each([
    ["What's the revenue of Veltrane?", 'What is the revenue of Veltrane?'],
    ['whos the chief executive', 'who is the chief executive'],
    ['Hi all, when does the plant open? Thanks!', 'when does the plant open'],
    ['我想知道，北辰科技去年的收入是多少？', '北辰科技去年的收入是多少？'],
    ['你好，請問北辰科技嘅行政總裁係邊個？唔該', '北辰科技的行政总裁是边个'],
    ['灣仔站事故牽涉邊種車？', '湾仔站事故牵涉哪种车？'],
  ])('reads “%s” as “%s”', (question, written) => {
    expect(asWritten(question)).toBe(written);
  });

  test.each(['關係人是誰？', '尋日本的歷史為什麼重要？', '北辰科技的行政總裁是誰？', '谢谢'])(
    'keeps “%s” as it is',
    (question) => {
      expect(asWritten(question)).toBe(question);
    },
  );
});
