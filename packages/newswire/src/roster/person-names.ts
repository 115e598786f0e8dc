import type { Pair } from '../dispatch.ts';

/** Given and family names that are combined; Chinese names have the family name first. */
export const westernGiven: readonly Pair[] = [
  ['Maren', '玛伦'],
  ['Tobin', '托宾'],
  ['Ysabel', '伊莎贝'],
  ['Corwin', '科温'],
  ['Delphine', '德尔菲娜'],
  ['Ansel', '安塞尔'],
  ['Briony', '布莱奥妮'],
  ['Leopold', '利奥波德'],
  ['Saskia', '萨斯基亚'],
  ['Idris', '伊德里斯'],
  ['Noor', '努尔'],
  ['Calliope', '卡莉奥佩'],
  ['Rafferty', '拉弗蒂'],
  ['Ottilie', '奥蒂莉'],
  ['Evander', '埃万德'],
  ['Priya', '普丽娅'],
];

export const westernFamily: readonly Pair[] = [
  ['Ashgrove', '阿什格罗夫'],
  ['Vandermoor', '范德穆尔'],
  ['Okonjola', '奥孔约拉'],
  ['Lindqvale', '林德奎尔'],
  ['Thistlewood', '西斯尔伍德'],
  ['Marchetto', '马尔凯托'],
  ['Brackenridge', '布拉肯里奇'],
  ['Sorensvik', '索伦斯维克'],
  ['Dalmorez', '达尔莫雷斯'],
  ['Pemberlow', '彭伯洛'],
  ['Quintrell', '昆特雷尔'],
  ['Halloweth', '哈洛韦思'],
  ['Ravindale', '拉文代尔'],
  ['Kowalcek', '科瓦尔切克'],
];

export const chineseFamily: readonly Pair[] = [
  ['Ouyang', '欧阳'],
  ['Situ', '司徒'],
  ['Xianyu', '鲜于'],
  ['Ruan', '阮'],
  ['Gai', '盖'],
  ['Lian', '练'],
  ['Shuai', '帅'],
  ['Miao', '缪'],
  ['Chu', '褚'],
  ['Weisheng', '微生'],
];

export const chineseGiven: readonly Pair[] = [
  ['Heqing', '鹤清'],
  ['Yanqiu', '砚秋'],
  ['Zhixu', '知叙'],
  ['Muchen', '牧尘'],
  ['Ruoshui', '若水'],
  ['Xingye', '星野'],
  ['Linfeng', '临风'],
  ['Wanqing', '晚晴'],
  ['Siming', '思铭'],
  ['Yuezhou', '越舟'],
  ['Jiheng', '霁衡'],
  ['Qiubai', '秋白'],
];

export const jobs: readonly Pair[] = [
  ['chief executive', '首席执行官'],
  ['chief scientist', '首席科学家'],
  ['head of research', '研究负责人'],
  ['chief technology officer', '首席技术官'],
  ['head of product', '产品负责人'],
  ['vice president of infrastructure', '基础设施副总裁'],
  ['head of safety', '安全负责人'],
  ['chief operating officer', '首席运营官'],
];
