/** Where the links in mail about saved searches lead. */
export const chineseWatchMail = {
  unsubscribe: '停止接收此邮件',
  unsubscribeText: '您将不再收到已保存搜索的新结果邮件。搜索本身会保留。',
  ended: '已停止发送邮件',
  endedText: '您将不再收到新结果邮件。已保存的搜索没有变化。',
  manage: '管理已保存的搜索',
  deadLink: '链接已失效',
  deadLinkText: '链接已过期或不完整。请使用较新邮件中的链接，或登录后管理已保存的搜索。',
};
