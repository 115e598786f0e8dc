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
    why: 'You receive this e-mail because you subscribed to it.',
    manage: 'Manage subscription',
    unsubscribe: 'Unsubscribe',
    mayBeWrong: 'Titles and summaries are generated from third-party reports and may contain errors.',
    confirmSubject: 'Confirm your subscription to Daybook',
    confirmText: (reports, link) =>
      `To receive Daybook reports (${reports}) at this address, confirm your subscription within one week:\n${link}\n\nIf you did not subscribe, ignore this e-mail. No reports are sent.\n`,
    knownSubject: 'You are already subscribed to Daybook',
    knownText: (reports, link) =>
      `This address is already subscribed to Daybook (${reports}).\n\nManage your subscription or unsubscribe:\n${link}\n`,
    and: ' and ',
  },
  zh: {
    kinds: { daily: '日报', weekly: '周报' },
    subject: (kind, period, headline) =>
      `Daybook ${{ daily: '日报', weekly: '周报' }[kind]} ${period}：${headline}`,
    flashes: '快讯',
    readOnline: '在 Daybook 上阅读',
    why: '您收到此邮件是因为您已订阅。',
    manage: '管理订阅',
    unsubscribe: '退订',
    mayBeWrong: '标题和摘要根据第三方报道生成，可能有误。',
    confirmSubject: '请确认订阅 Daybook',
    confirmText: (reports, link) =>
      `您正在订阅 Daybook 的${reports}。请在一周内打开以下链接确认：\n${link}\n\n如果不是您本人操作，请忽略此邮件，我们不会发送任何报告。\n`,
    knownSubject: '您已经订阅了 Daybook',
    knownText: (reports, link) => `此邮箱已订阅 Daybook 的${reports}。\n\n管理订阅或退订：\n${link}\n`,
    and: '和',
  },
};

export function mailWordsOf(language: MailLanguage): MailWords {
  return words[language];
}

/** The chosen editions, as a list in a sentence. */
export function namesOf({ daily, weekly }: Choices, { kinds, and }: MailWords): string {
  return [daily ? [kinds.daily] : [], weekly ? [kinds.weekly] : []].flat().join(and);
}
