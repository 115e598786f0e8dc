import type { device as english } from './device-english.ts';

export const device: typeof english = {
  title: '本机数据',
  lead: '收藏、隐藏的信源和已读标记只保存在此浏览器中，Daybook 不会收到这些信息。',
  needsScript: '此页面需要 JavaScript。',
  save: '收藏到本机',
  saved: '已收藏到本机',
  hideSource: '隐藏此信源',
  sourceHidden: '信源已隐藏',
  savedItems: '收藏',
  noneSaved: '暂无收藏。可在资讯页面选择“收藏到本机”。',
  hiddenSources: '隐藏的信源',
  noneHidden: '暂无隐藏的信源。可在资讯页面选择“隐藏此信源”。',
  remove: '移除',
  showAgain: '恢复显示',
  hiddenCount: '隐藏信源的资讯未显示：{count} 条。',
  oneNewSince: '上次访问后有 1 条新资讯',
  newSince: '上次访问后有 {count} 条新资讯',
  offline: '离线阅读',
  offlineText:
    '在此浏览器中保存首页、最近三期日报、最近一期周报和月报。联网时会自动更新，并移除已撤回的资讯。',
  offlineStart: '保存以供离线阅读',
  offlineStop: '停止并删除已保存的页面',
  forget: '删除',
  readCount: '已读页面：{count} 个。',
  forgetAll: '删除本机上的全部数据',
};
