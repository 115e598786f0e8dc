/** The queue of the desk, and entries before their publication. */
export const deskQueueTexts = {
  'A worker publishes the entry after its release. The release counts as the time of discovery.':
    '放行后，工作进程会发布该条目，并以放行时间为发现时间。',
  'By rule: published within seconds. With a language model, up to an hour.':
    '按规则：几秒内发布；使用语言模型时，最长一小时。',
  'By rule: the digest of the story states the contradiction.': '按规则：事件综述会写明矛盾之处。',
  'By rule: not published until the publisher edits it or an operator retries it.':
    '按规则：在发布者修改或系统管理员重试之前不发布。',
  'By rule: the first entries of a new source are published like any others.':
    '按规则：新信源首批条目与其他条目一样发布。',
  'By rule: the item stays in its current story.': '按规则：资讯留在当前所属的事件中。',
  'By rule: the source is polled as before.': '按规则：照常抓取该信源。',
  'By rule: the text is removed and the item is not selected, or the entry is not published.':
    '按规则：移除该文本且不入选，或不发布该条目。',
  'Choose an action.': '请选择操作。',
  Close: '关闭',
  Contradictions: '相互矛盾',
  'Doubtful grouping': '归类存疑',
  'Errors reported by readers. If a reader left an e-mail address, reply by e-mail.':
    '读者反馈的错误。如读者留有邮箱，请通过邮件回复。',
  Failed: '发布失败',
  Held: '暂缓发布',
  'Items can be selected. A worker publishes held entries.': '资讯可以入选；暂缓的条目将由工作进程发布。',
  'Polls have been failing for much longer than usual.': '抓取持续失败，远超平时。',
  'New sources': '新信源',
  'Page not specified': '未指定页面',
  'Not published until an editor releases it or its embargo ends.': '在编辑放行或禁发期结束之前不发布。',
  'Reported errors': '读者反馈',
  'Select at least one entry.': '请至少选择一个条目。',
  'Select {title}': '选择 {title}',
  'Show the held entries': '查看暂缓的条目',
  'Stopped: the publisher removed the list.': '已停止：发布者删除了列表。',
  'Suspected instructions': '疑似指令',
  'Suspended: the list was not found for two weeks.': '已中止：两周内未找到该列表。',
  'The entry is published with this text. Later edits by the publisher are only proposed.':
    '条目将以此文字发布。发布者之后的修改只作为建议显示。',
  'A worker publishes the entries. The current time counts as the time of discovery.':
    '工作进程会发布这些条目，并以当前时间为发现时间。',
  'By rule: not about the AI industry.': '按规则：与 AI 行业无关。',
  'The entries are never published, even if their publishers edit them.':
    '这些条目不会发布，发布者修改后也不会发布。',
  'The entries are not published until an editor releases them or the embargo ends.':
    '在编辑放行或禁发期结束之前不发布。',
  'The entries are not changed and are removed from the queue.': '不作更改，并移出待处理列表。',
  'Unusual sources': '信源异常',
  Waiting: '等待发布',
  '{count} decision made.': '已作出 {count} 项决定。',
  '{count} decisions made.': '已作出 {count} 项决定。',
  '{count} entries in one day, usually {usual}.': '一天 {count} 条；平时 {usual} 条。',
  '{count} entries in the first import, {selected} selected, {held} held.':
    '首次导入 {count} 条，入选 {selected} 条，暂缓 {held} 条。',
  '{count} entry': '{count} 个条目',
  '{count} entries': '{count} 个条目',
  '{count} was refused:': '{count} 项被拒绝：',
  '{count} were refused:': '{count} 项被拒绝：',
  'Hold new entries': '暂缓发布新条目',
  'No, publish by rule': '否，按规则发布',
  'Entries of the first import': '首次导入的条目',
  'All new entries': '所有新条目',
  'Held entries stay in the queue until an editor releases them.':
    '暂缓的条目留在待处理列表中，等待编辑放行。',
} as const;
