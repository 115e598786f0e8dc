import type { Language } from '../dispatch.ts';

/**
 * Words that occur nowhere else in the vocabulary and are inserted at a fixed rate, so that a search for them has a known
 * share of hits: `uncommon` about one dispatch in a thousand each, `rare` about one in ten thousand, `absent` none.
 */
export const themeWords: Readonly<
  Record<Language, Readonly<Record<'uncommon' | 'rare' | 'absent', readonly string[]>>>
> = {
  en: {
    uncommon: (
      'hydrology seismology photonics bioacoustics cartography genealogy archaeology beekeeping forestry aquaculture ' +
      'glaciology lexicography choreography numismatics viticulture meteorology astronomy horticulture linguistics metallurgy'
    ).split(' '),
    rare: (
      'falconry heraldry campanology horology speleology lichenology ropemaking cooperage calligraphy origami ' +
      'puppetry cheesemaking glassblowing bookbinding saddlery topiary semaphore lacemaking herpetology dendrology'
    ).split(' '),
    absent: (
      'xylophone zeppelin walrus marzipan quicksand didgeridoo pistachio trampoline chandelier hammock ' +
      'accordion flamingo gondola kaleidoscope licorice mongoose parsnip rhubarb tambourine umbrella'
    ).split(' '),
  },
  zh: {
    uncommon:
      '水利 考古 养蜂 林业 渔业 气象 测绘 地震 家谱 舞蹈 方言 戏曲 酿酒 茶叶 园艺 刺绣 书法 航天 天文 民俗'.split(
        ' ',
      ),
    rare: '皮影 篆刻 榫卯 风筝 漆器 剪纸 木偶 驯鹰 钟表 灯谜 糖画 竹编 扎染 陶艺 古琴 围棋 象棋 琥珀 珊瑚 苔藓'.split(
      ' ',
    ),
    absent:
      '河马 火锅 豆腐 雪橇 骆驼 瀑布 蜻蜓 柠檬 毛衣 拖鞋 饼干 彩虹 沙漠 雨伞 唢呐 糖葫 鼓楼 蟋蟀 菠萝 椰子'.split(
        ' ',
      ),
  },
};
