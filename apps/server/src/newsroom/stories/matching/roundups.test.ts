import { expect, test } from 'vitest';

import { isRoundup } from './roundups.ts';

test.each(['今日三件事：甲公司融资', '模型前哨：今日三件事：甲公司融资、乙公司发布模型', '智东西：一文速览'])(
  'recognises a list of several events, also after the name of its column: %s',
  (title) => {
    expect(isRoundup(title)).toBe(true);
  },
);

test('does not take an article that mentions such a list for one', () => {
  expect(isRoundup('甲公司推出的应用“今日三件事”获得 500 万美元融资')).toBe(false);
});
