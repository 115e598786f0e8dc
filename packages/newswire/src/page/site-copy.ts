import type { Language } from '../dispatch.ts';

/** Texts around an article on its page, and on pages that are not articles. */
export interface SiteCopy {
  readonly navigation: readonly string[];
  readonly by: (author: string) => string;
  readonly updated: string;
  readonly share: string;
  readonly related: string;
  readonly mostRead: string;
  readonly newsletter: string;
  readonly subscribe: string;
  readonly advertisement: string;
  readonly cookies: string;
  readonly accept: string;
  readonly footer: readonly string[];
  readonly caption: string;
  readonly latest: string;
  readonly comments: string;
  readonly withdrawn: string;
  readonly missing: string;
}

const english: SiteCopy = {
  navigation: ['Home', 'Models', 'Products', 'Industry', 'Research', 'Opinion', 'About'],
  by: (author) => `By ${author}`,
  updated: 'Updated',
  share: 'Share this article',
  related: 'More on this',
  mostRead: 'Most read',
  newsletter: 'Get the morning edition by mail. No more than one message a day.',
  subscribe: 'Subscribe',
  advertisement: 'Advertisement',
  cookies: 'We use cookies to count visits and to remember your settings.',
  accept: 'Accept all',
  footer: ['Imprint', 'Privacy', 'Terms of use', 'Contact', 'Careers'],
  caption: 'Archive picture',
  latest: 'Latest',
  comments: 'Comments are closed for this article.',
  withdrawn: 'This article has been withdrawn and is no longer available.',
  missing: 'The requested page does not exist.',
};

const chinese: SiteCopy = {
  navigation: ['首页', '模型', '产品', '产业', '研究', '观点', '关于我们'],
  by: (author) => `作者：${author}`,
  updated: '更新于',
  share: '分享本文',
  related: '相关阅读',
  mostRead: '热门文章',
  newsletter: '订阅每日早报，每天最多一封邮件。',
  subscribe: '订阅',
  advertisement: '广告',
  cookies: '本站使用 Cookie 统计访问量并记住您的设置。',
  accept: '全部接受',
  footer: ['版权声明', '隐私政策', '用户协议', '联系我们', '加入我们'],
  caption: '资料图片',
  latest: '最新文章',
  comments: '本文评论已关闭。',
  withdrawn: '本文已撤回，不再提供。',
  missing: '您访问的页面不存在。',
};

export const siteCopy: Readonly<Record<Language, SiteCopy>> = { en: english, zh: chinese };
