import type { Pair, Role } from '../dispatch.ts';

/** Why an editor selected a dispatch; one sentence each. */
export const reasons: Readonly<Record<Role, readonly Pair[]>> = {
  first: [
    ['First full report of an event that others have since taken up.', '率先完整报道，随后多家媒体跟进。'],
    ['States the figures and names its source.', '给出具体数字，并注明来源。'],
    ['Likely to change what customers and rivals do next.', '可能影响客户和竞争对手的下一步。'],
  ],
  reprint: [
    ['The most trusted outlet among those that carry this report.', '在转载该消息的媒体中可信度最高。'],
  ],
  'follow-up': [
    ['Adds a new fact to a running story.', '为持续发展的事件补充了新的事实。'],
    ['Explains what the first reports left open.', '回答了首批报道没有说明的问题。'],
  ],
  contradiction: [['Disputes a figure that was widely reported.', '对广泛流传的数字提出了不同说法。']],
  correction: [['Corrects a figure that readers have seen before.', '更正了读者此前看到的数字。']],
  confirmation: [['Names the company behind an unconfirmed report.', '点明了此前未具名消息的当事公司。']],
  companion: [['The original document behind the reports.', '相关报道背后的原始材料。']],
  roundup: [['A compact overview of several events.', '对多起事件的简明汇总。']],
  single: [
    ['Useful in its own right and not covered elsewhere.', '内容独立而实用，其他媒体没有报道。'],
    ['A careful piece of work on a subject our readers follow.', '针对读者关注的话题，写得扎实。'],
  ],
};
