/** Open pages of the desk: who is editing, what has changed, and the keys. */
export const deskLiveTexts = {
  'Changed just now': '刚刚更改',
  '{people} is editing this page. Saving shows both versions.':
    '{people} 正在编辑此页面。保存时会显示两个版本。',
  '{people} are editing this page. Saving shows both versions.':
    '{people} 正在编辑此页面。保存时会显示两个版本。',
  'Another editor or a rule changed this. Reload the page before you edit it.':
    '其他编辑或规则已作更改。请在编辑前重新加载页面。',
  '1 new entry in the queue.': '有 1 个新的待处理条目。',
  '{count} new entries in the queue.': '有 {count} 个新的待处理条目。',
  '1 new decision.': '有 1 项新的决定。',
  '{count} new decisions.': '有 {count} 项新的决定。',
  'This page is out of date.': '此页面已过期。',
  Reload: '重新加载',
  'Next entry': '下一条',
  'Previous entry': '上一条',
  'Mark the entry': '勾选条目',
  'Open or edit': '打开或编辑',
  'Select an item, or split a story': '选入资讯，或拆分事件',
  'Show this list': '显示此列表',
  'Keyboard shortcuts': '快捷键',
  'Each key presses the button of the marked entry, or of the page.':
    '每个键对应当前条目或页面上的一个按钮。',
  'Digest in English': '英文综述',
  'Digest in Chinese': '中文综述',
  'By an editor': '由编辑撰写',
  'Each sentence has the numbers of the items that support it. Rules leave your text as it is.':
    '每句注明支持它的报道编号。规则不会更改您的文字。',
  'Save digest': '保存综述',
  'Save digest in English': '保存英文综述',
  'Save digest in Chinese': '保存中文综述',
  'An empty sentence is removed. Write a new one in the last row.':
    '留空的句子会被删除。请在最后一行添加新句。',
  'Publish in spite of the check: your statement (public, the last sentence)':
    '核查未通过仍要发布：您的说明（公开，作为最后一句）',
  'Sentence {number}': '第 {number} 句',
  'Item numbers': '报道编号',
  'Use the numbers of the items of this story.': '请使用该事件中报道的编号。',
  Suggestions: '建议',
  'The rules were in doubt. One press decides, with the public reason “{reason}” and undo.':
    '规则无法确定。按一下即可决定，公开原因为“{reason}”，可以撤销。',
  'With another reason…': '使用其他原因…',
  selection: '入选',
  'the best report of its group': '同组中最好的报道',
  'withdrawn by its publisher': '来源撤回',
  'setting of the source': '信源设置',
  'draft of the report': '报告草稿',
} as const;
