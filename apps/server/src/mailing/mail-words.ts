import type { Choices, MailedKind, MailLanguage } from './subscription-store.ts';

export interface MailWords {
  readonly kinds: Readonly<Record<MailedKind, string>>;
  readonly subject: (kind: MailedKind, period: string, headline: string) => string;
  readonly flashes: string;
  readonly readOnline: string;
  readonly why: string;
  readonly manage: string;
  readonly unsubscribe: string;
  readonly mayBeWrong: string;
  readonly confirmSubject: string;
  readonly confirmText: (reports: string, link: string) => string;
  readonly knownSubject: string;
  readonly knownText: (reports: string, link: string) => string;
  readonly and: string;
}

const words: Readonly<Record<MailLanguage, MailWords>> = {
  en: {
    kinds: { daily: 'Daily', weekly: 'Weekly' },
    subject: (kind, period, headline) => `Daybook ${kind} ${period}: ${headline}`,
    flashes: 'Flashes',
    readOnline: 'Read it on Daybook',
    why: 'You get this mail because you subscribed to it.',
    manage: 'Change what you get',
    unsubscribe: 'Unsubscribe',
    mayBeWrong: 'Titles and summaries are written from third-party reports and may be wrong.',
    confirmSubject: 'Confirm your subscription to Daybook',
    confirmText: (reports, link) =>
      `Someone, hopefully you, asked to get Daybook by mail at this address: ${reports}.\n\nConfirm it within a week:\n${link}\n\nIf it was not you, do nothing: without the link no report is sent.\n`,
    knownSubject: 'You get Daybook by mail already',
    knownText: (reports, link) =>
      `Someone, perhaps you, asked to get Daybook by mail at this address. It is subscribed already: ${reports}.\n\nChange what you get, or unsubscribe:\n${link}\n`,
    and: ' and ',
  },
  zh: {
    kinds: { daily: '日报', weekly: '周报' },
    subject: (kind, period, headline) =>
      `Daybook ${{ daily: '日报', weekly: '周报' }[kind]} ${period}：${headline}`,
    flashes: '快讯',
    readOnline: '在 Daybook 上阅读',
    why: '您收到此邮件，是因为您订阅了它。',
    manage: '更改订阅内容',
    unsubscribe: '退订',
    mayBeWrong: '标题和摘要根据第三方报道写成，可能有误。',
    confirmSubject: '请确认订阅 Daybook',
    confirmText: (reports, link) =>
      `有人（希望是您本人）请求将 Daybook 的${reports}发送到此邮箱。\n\n请在一周内确认：\n${link}\n\n如果不是您本人，请忽略：不打开链接确认，就不会发送任何报告。\n`,
    knownSubject: '您已经订阅了 Daybook',
    knownText: (reports, link) =>
      `有人（可能是您本人）请求将 Daybook 发送到此邮箱。此邮箱已订阅：${reports}。\n\n更改订阅内容或退订：\n${link}\n`,
    and: '和',
  },
};

export function mailWordsOf(language: MailLanguage): MailWords {
  return words[language];
}

/** The reports that were chosen, as a list in a sentence. */
export function namesOf({ daily, weekly }: Choices, { kinds, and }: MailWords): string {
  return [daily ? [kinds.daily] : [], weekly ? [kinds.weekly] : []].flat().join(and);
}
