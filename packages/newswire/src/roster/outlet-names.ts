import type { Language, OutletShape } from '../dispatch.ts';

/** Invented publishers: an owner, its language, and its titles with how far an editor trusts each. */
export interface Publisher {
  readonly owner: string;
  readonly language: Language;
  readonly titles: readonly (readonly [name: string, host: string, weight: number])[];
}

export const publishers: readonly Publisher[] = [
  {
    owner: 'Halden Vale Media',
    language: 'en',
    titles: [
      ['The Halden Wire', 'halden-wire', 0.95],
      ['Compute Courier', 'compute-courier', 0.7],
      ['Halden Markets', 'halden-markets', 0.75],
    ],
  },
  {
    owner: 'Morrowfield Press',
    language: 'en',
    titles: [
      ['Morrowfield Ledger', 'morrowfield-ledger', 0.9],
      ['Daily Inference', 'daily-inference', 0.6],
    ],
  },
  {
    owner: 'Saltmarsh Group',
    language: 'en',
    titles: [
      ['The Saltmarsh Post', 'saltmarsh-post', 0.85],
      ['Loss Curve', 'loss-curve', 0.65],
      ['Startup Lantern', 'startup-lantern', 0.5],
    ],
  },
  { owner: 'Papermoth Collective', language: 'en', titles: [['Papermoth', 'papermoth', 0.7]] },
  { owner: 'Tin Kettle Media', language: 'en', titles: [['Tin Kettle Tech', 'tin-kettle-tech', 0.55]] },
  { owner: 'Eastquay Broadcasting', language: 'en', titles: [['Eastquay News', 'eastquay-news', 0.85]] },
  { owner: 'Overfit Letters', language: 'en', titles: [['Overfit Letters', 'overfit-letters', 0.6]] },
  { owner: 'The Prompt Almanac', language: 'en', titles: [['Prompt Almanac', 'prompt-almanac', 0.45]] },
  { owner: 'Rackside', language: 'en', titles: [['Rackside', 'rackside', 0.65]] },
  { owner: 'Bellwether Quay', language: 'en', titles: [['Bellwether Quay', 'bellwether-quay', 0.75]] },
  { owner: 'Sixpenny Bulletin', language: 'en', titles: [['Sixpenny Bulletin', 'sixpenny-bulletin', 0.4]] },
  { owner: 'Greywater Review', language: 'en', titles: [['Greywater Review', 'greywater-review', 0.8]] },
  {
    owner: '长汀传媒集团',
    language: 'zh',
    titles: [
      ['算潮日报', 'suanchao-daily', 0.9],
      ['硅岸观察', 'guian-watch', 0.75],
      ['长汀财讯', 'changting-finance', 0.7],
    ],
  },
  {
    owner: '北麓文化',
    language: 'zh',
    titles: [
      ['北麓科技评论', 'beilu-review', 0.85],
      ['模型前哨', 'moxing-outpost', 0.65],
    ],
  },
  {
    owner: '青灯出版',
    language: 'zh',
    titles: [
      ['青灯晚报', 'qingdeng-evening', 0.8],
      ['智械周刊', 'zhixie-weekly', 0.6],
    ],
  },
  { owner: '参数茶馆', language: 'zh', titles: [['参数茶馆', 'canshu-teahouse', 0.5]] },
  { owner: '万川财经', language: 'zh', titles: [['万川财经', 'wanchuan-finance', 0.8]] },
  { owner: '梯度山房', language: 'zh', titles: [['梯度山房', 'tidu-shanfang', 0.6]] },
  { owner: '芯火工作室', language: 'zh', titles: [['芯火速递', 'xinhuo-express', 0.55]] },
  { owner: '南塘通讯社', language: 'zh', titles: [['南塘通讯社', 'nantang-agency', 0.95]] },
  { owner: '论文灯塔', language: 'zh', titles: [['论文灯塔', 'lunwen-lighthouse', 0.65]] },
];

type ChannelShape = Exclude<OutletShape, 'site' | 'releases'>;
type ChannelNames = readonly [ChannelName, ...ChannelName[]];
type ChannelName = readonly [name: string, slug: string, language: Language];

/** Channels, podcasts, preprint lists and aggregators. */
export const channelNames: Readonly<Record<ChannelShape, ChannelNames>> = {
  video: [
    ['Two Minute Tensors', 'two-minute-tensors', 'en'],
    ['模型慢谈', 'moxing-mantan', 'zh'],
    ['Workbench Wren', 'workbench-wren', 'en'],
    ['算力茶话会', 'suanli-chahua', 'zh'],
    ['The Latent Hour', 'the-latent-hour', 'en'],
    ['Prompted Live', 'prompted-live', 'en'],
    ['阿砚看模型', 'ayan-kan-moxing', 'zh'],
  ],
  preprints: [
    ['Computation and Language updates', 'computation-language', 'en'],
    ['Machine Learning updates', 'machine-learning', 'en'],
    ['Artificial Intelligence updates', 'artificial-intelligence', 'en'],
    ['Computer Vision updates', 'computer-vision', 'en'],
    ['Distributed Computing updates', 'distributed-computing', 'en'],
  ],
  podcast: [
    ['Loss and Found', 'loss-and-found', 'en'],
    ['The Second Epoch', 'the-second-epoch', 'en'],
    ['硅谷以东', 'guigu-yidong', 'zh'],
    ['Batch of One', 'batch-of-one', 'en'],
    ['参数之外', 'canshu-zhiwai', 'zh'],
  ],
  discussion: [
    ['Tinker Board', 'tinker-board', 'en'],
    ['Orange Lantern', 'orange-lantern', 'en'],
  ],
  headlines: [
    ['Headline Loom: artificial intelligence', 'headline-loom', 'en'],
    ['头条织机：人工智能', 'toutiao-zhiji', 'zh'],
    ['Frontpage Sieve: model news', 'frontpage-sieve', 'en'],
  ],
  planet: [
    ['Planet Inference', 'planet-inference', 'en'],
    ['智讯汇', 'zhixun-hui', 'zh'],
    ['Labs Roundup Feed', 'labs-roundup-feed', 'en'],
  ],
};
