import type { Language, Pair } from '../dispatch.ts';

/** Invented companies and labs. `home` is their first language. */
export const organizationNames: readonly { readonly home: Language; readonly names: readonly Pair[] }[] = [
  {
    home: 'en',
    names: [
      ['Veltrane', '维尔川'],
      ['Corvanta', '科凡达'],
      ['Halvoric', '哈沃里克'],
      ['Quillmark', '奎尔马克'],
      ['Tessaline', '泰莎林'],
      ['Brindlewood', '布林德伍德'],
      ['Noxbury', '诺斯伯里'],
      ['Ambersill', '安伯希尔'],
      ['Pelloric', '佩洛里克'],
      ['Marrowgate', '马罗盖特'],
      ['Ostrellan', '奥斯特兰'],
      ['Fennwick Labs', '芬威克实验室'],
      ['Cindral', '辛卓尔'],
      ['Thalverge', '萨尔弗吉'],
      ['Lumenook', '卢梅努克'],
      ['Gristmoor', '格里斯穆尔'],
      ['Vespertane', '维斯珀坦'],
      ['Harrowick', '哈罗维克'],
      ['Ilverton', '伊弗顿'],
      ['Juniperloft', '朱尼洛夫特'],
      ['Kestrelane', '凯斯特兰'],
      ['Dovrane', '多夫兰'],
      ['Wrenfold', '雷恩福德'],
      ['Solmarch', '索尔玛驰'],
      ['Bramblecote', '布兰科特'],
      ['Zephrine', '泽弗琳'],
      ['Underlark', '安德拉克'],
      ['Aldermoss', '奥德莫斯'],
      ['Copperfen', '科珀芬'],
      ['Yarrowby', '雅罗比'],
      ['Palisond', '帕利森德'],
      ['Tarnhollow', '塔恩霍洛'],
      ['Meridew Research', '梅里杜研究院'],
      ['Craywater Institute', '克雷沃特研究所'],
    ],
  },
  {
    home: 'zh',
    names: [
      ['Lanqiong', '澜穹科技'],
      ['Yanshi Intelligence', '砚石智能'],
      ['Qingwei', '青桅科技'],
      ['Yunxiu Compute', '云岫智算'],
      ['Limu Intelligence', '栎木智能'],
      ['Heting', '鹤汀科技'],
      ['Jichuan', '霁川智能'],
      ['Xingcha', '星槎智能'],
      ['Moheng', '墨衡科技'],
      ['Tangxi', '棠溪智能'],
      ['Cangwu Compute', '苍梧智算'],
      ['Fuyu Systems', '浮玉科技'],
      ['Lanyu', '岚屿智能'],
      ['Panzhou', '磐舟科技'],
      ['Shuowang Labs', '朔望实验室'],
      ['Xianmei', '衔枚科技'],
      ['Tinglan', '听澜智能'],
      ['Yuanxiu Robotics', '远岫机器人'],
      ['Zhuyin', '竹隐科技'],
      ['Chixiao Silicon', '赤霄芯片'],
      ['Tingzhou', '汀洲智能'],
      ['Jingyu', '鲸屿科技'],
      ['Biwu', '碧梧科技'],
      ['Suye Research', '溯野研究院'],
      ['Hengpu', '蘅浦智能'],
      ['Qianzhang', '千嶂科技'],
    ],
  },
];

/** Two for each organization. */
export const familyNames: readonly string[] = (
  'Calderan Orlith Marrin Tovane Quenby Hollin Pettrel Ondrine Tamsel Brevik Cassory Dunmere ' +
  'Elowin Farrowe Haldis Ivarra Jorvane Kelpin Lorcane Mirelle Nimbrel Ottoline Perrine Rowanne ' +
  'Selkan Thessel Ulmera Verdane Wystan Xanthel Ysolt Zennora Abrelle Brixham Corrow Darnel Eskarn ' +
  'Fallowen Gorsey Hebrin Islay Jessamy Kirrin Lathrop Merrow Norrice Oakum Pellan Quarrel Rennick ' +
  'Sorrelin Tarquil Umbrey Vossel Wexmoor Yarrel Zelkin Ashlar Brisling Cobalis Dorrin Emmerly ' +
  'Fenwren Glasswing Hartlen Inkwell Jacoba Kittiwake Linnet Moorhen Nuthatch Ouzel Pintail ' +
  'Quernstone Redstart Siskin Turnstone Umbel Vellum Whinchat Yaffle Almery Brocade Cinquel Damask ' +
  'Esker Filigree Garnetta Hawser Isinglass Jonquil Kelter Lanyard Marl Nacre Oriel Purlin Quoin ' +
  'Rondel Spandrel Trefoil Ulexa Voussoir Wainscot Yawl Zill Arbalest Bezel Cornice Dovecote ' +
  'Estuary Finial Gnomon Hazelin Ingle Jetty Keystone Lintel Mullion Newel Ogee Pilaster Quillon ' +
  'Rowan'
).split(' ');
