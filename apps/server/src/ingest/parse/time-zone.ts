const zoneOffsets: Readonly<Record<string, string>> = {
  z: '+00:00',
  gmt: '+00:00',
  ut: '+00:00',
  utc: '+00:00',
  wet: '+00:00',
  west: '+01:00',
  bst: '+01:00',
  cet: '+01:00',
  met: '+01:00',
  cest: '+02:00',
  mest: '+02:00',
  eet: '+02:00',
  eest: '+03:00',
  msk: '+03:00',
  ist: '+05:30',
  hkt: '+08:00',
  sgt: '+08:00',
  awst: '+08:00',
  jst: '+09:00',
  kst: '+09:00',
  aest: '+10:00',
  aedt: '+11:00',
  nzst: '+12:00',
  nzdt: '+13:00',
  ast: '-04:00',
  adt: '-03:00',
  est: '-05:00',
  et: '-05:00',
  edt: '-04:00',
  cst: '-06:00',
  cdt: '-05:00',
  mst: '-07:00',
  mdt: '-06:00',
  pst: '-08:00',
  pt: '-08:00',
  pdt: '-07:00',
  akst: '-09:00',
  akdt: '-08:00',
  hst: '-10:00',
};

export const utcOffset = '+00:00';

/** The offset of a zone name. CST is China Standard Time if China's offset is assumed. */
export function offsetOfZone(name: string, assumedOffset: string): string | null {
  const lower = name.toLowerCase();
  if (lower === 'cst' && assumedOffset === '+08:00') return assumedOffset;
  return zoneOffsets[lower] ?? null;
}

/** Valid offsets: -12:00 to +14:00. */
export function isUtcOffset(text: string): boolean {
  const match = /^([+-])(\d{2}):([0-5]\d)$/u.exec(text);
  if (match === null) return false;
  const minutes = Number(match[2]) * 60 + Number(match[3]);
  return minutes <= (match[1] === '-' ? 12 : 14) * 60;
}

/**
 * The likely offset of a date without one. Publishers in Chinese, Japanese and Korean write local time, and each of these
 * languages has one offset; read as UTC, their new entries would be hours in the future.
 */
export function assumedOffsetOf(language: string | null): string {
  const tag = language?.toLowerCase().split(/[-_]/u)[0];
  if (tag === 'zh' || tag === 'cn') return '+08:00';
  return tag === 'ja' || tag === 'ko' ? '+09:00' : utcOffset;
}
