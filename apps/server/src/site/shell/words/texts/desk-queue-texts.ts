/** The queue of the desk, and entries before their publication. */
export const deskQueueTexts = {
  'A released entry is published by the next worker, as discovered at the release.':
    '放行后，下一个后台进程会发布该条目，发现时间为放行时间。',
  'By rule: published within seconds. With a language model, up to an hour.':
    '按规则：几秒内发布；使用语言模型时，最长一小时。',
  'By rule: the digest of the story states the contradiction.': '按规则：事件综述会写明矛盾之处。',
  'By rule: not published until its publisher edits it or an operator retries it.':
    '按规则：在来源修改或运维人员重试之前不发布。',
  'By rule: the first entries of a new source are published like any others.':
    '按规则：新信源首批条目与其他条目一样发布。',
  'By rule: each item stays in the story that it is in.': '按规则：每条资讯留在目前所属的事件中。',
  'By rule: the source is polled as before.': '按规则：照常抓取该信源。',
  'By rule: the text is removed and the item is not selected, or the entry is not published.':
    '按规则：移除该文本且不入选，或不发布该条目。',
  'Choose an action.': '请选择操作。',
  Close: '关闭',
  Contradictions: '相互矛盾',
  'Doubtful grouping': '归类存疑',
  'Errors that readers reported. Answer by mail if they gave an address.':
    '读者报告的错误。如读者留有邮箱，请用邮件回复。',
  Failed: '发布失败',
  Held: '暂缓发布',
  'Items can be selected; held entries are published by the next worker.':
    '资讯可以入选；暂缓的条目由下一个后台进程发布。',
  'Its polls fail for much longer than usual.': '抓取持续失败，远超平时。',
  'New sources': '新信源',
  'No page': '未指明页面',
  'Not published until an editor releases it or its embargo ends.': '在编辑放行或禁发期结束之前不发布。',
  'Reported errors': '读者报错',
  'Select at least one entry.': '请至少选择一个条目。',
  'Select {title}': '选择 {title}',
  'Show the held entries': '查看暂缓的条目',
  'Stopped: the publisher removed the list.': '已停止：来源删除了该列表。',
  'Suspected instructions': '疑似指令',
  'Suspended: the list was not found for two weeks.': '已中止：两周内未找到该列表。',
  'The entry is published with these words. Later edits of its publisher only propose others.':
    '条目将以这些文字发布。来源之后的修改只作为建议显示。',
  'The next worker publishes them, as discovered now.': '下一个后台进程会发布这些条目，发现时间为现在。',
  'The rules find that it is not about the AI industry.': '规则判断该条目与 AI 行业无关。',
  'They are never published, also if their publishers edit them.': '这些条目永不发布，来源修改后也不发布。',
  'They are not published until an editor releases them or the embargo ends.':
    '在编辑放行或禁发期结束之前不发布。',
  'They stay as they are and leave the queue.': '保持不变，并移出待处理列表。',
  'Unusual sources': '信源异常',
  Waiting: '等待发布',
  '{count} decision taken.': '已作出 {count} 项决定。',
  '{count} decisions taken.': '已作出 {count} 项决定。',
  '{count} entries in a day; usually {usual}.': '一天 {count} 条；平时 {usual} 条。',
  '{count} entries in the first import, {selected} selected, {held} held.':
    '首次导入 {count} 条，入选 {selected} 条，暂缓 {held} 条。',
  '{count} entry': '{count} 个条目',
  '{count} entries': '{count} 个条目',
  '{count} was refused:': '{count} 项被拒绝：',
  '{count} were refused:': '{count} 项被拒绝：',
  'Entries to hold': '暂缓发布的条目',
  'None: publish by rule': '无：按规则发布',
  'Those of the first import': '首次导入的条目',
  'All new entries': '所有新条目',
  'New entries wait in the queue until an editor releases them.': '新条目在待处理列表中等待编辑放行。',
} as const;
