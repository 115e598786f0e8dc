import type { ReaderLanguage } from '../../foundation/reader-language.ts';

/** Why the editorial rules selected an item, independent of a language. */
export interface SelectionReason {
  readonly opening: 'first' | 'adds' | 'repeats';
  readonly by: 'company' | 'press' | null;
  /** The best-known name that it reports on. */
  readonly about: string | null;
  readonly concrete: boolean;
  /** Independent owners that report the story. */
  readonly owners: number | null;
}

/** A text with the code that it is the wording of; without one if an editor or a model wrote it. */
export interface WordedReason {
  readonly reason: string;
  /** `first`, `adds` or `repeats`, and the parts that apply: `company`, `press`, `about`, `concrete`, `owners`. */
  readonly reasonCode?: string;
  readonly reasonValues?: { readonly about?: string; readonly owners?: number };
}

interface Wording {
  readonly openings: Readonly<
    Record<SelectionReason['opening'], Readonly<Record<'anyone' | 'company' | 'press', string>>>
  >;
  readonly about: string;
  readonly concrete: string;
  readonly owners: string;
  readonly end: string;
}

const english: Wording = {
  openings: {
    first: {
      anyone: 'First report',
      company: 'First report by the company itself',
      press: 'First report by an established publisher',
    },
    adds: {
      anyone: 'New facts on a known story',
      company: 'New facts on a known story by the company itself',
      press: 'New facts on a known story by an established publisher',
    },
    repeats: {
      anyone: 'A report',
      company: 'A report by the company itself',
      press: 'A report by an established publisher',
    },
  },
  about: ' about {about}',
  concrete: ', with concrete facts',
  owners: ', carried by {owners} independent publishers',
  end: '.',
};

const chinese: Wording = {
  openings: {
    first: { anyone: '首次报道', company: '公司首发', press: '主流媒体首发' },
    adds: { anyone: '为已知事件补充事实', company: '公司补充新事实', press: '主流媒体补充新事实' },
    repeats: { anyone: '一则报道', company: '公司发布', press: '主流媒体报道' },
  },
  about: '，涉及 {about}',
  concrete: '，含具体事实',
  owners: '，{owners} 家独立媒体跟进',
  end: '。',
};

/** Of version 0.1.0: items stored before the wording changed. */
const earlierChinese: Wording = {
  ...chinese,
  openings: {
    first: { anyone: '首次报道', company: '首次报道，由当事公司发布', press: '首次报道，来自主流媒体' },
    adds: {
      anyone: '为已知事件补充事实',
      company: '为已知事件补充事实，由当事公司发布',
      press: '为已知事件补充事实，来自主流媒体',
    },
    repeats: { anyone: '一则报道', company: '一则报道，由当事公司发布', press: '一则报道，来自主流媒体' },
  },
  concrete: '，有具体事实',
};

const wordings: Readonly<Record<ReaderLanguage, Wording>> = { en: english, zh: chinese };

/** One sentence. */
export function reasonIn(language: ReaderLanguage, reason: SelectionReason): string {
  const { openings, about, concrete, owners, end } = wordings[language];
  return [
    openings[reason.opening][reason.by ?? 'anyone'],
    reason.about === null ? '' : about.replace('{about}', () => reason.about ?? ''),
    reason.concrete ? concrete : '',
    reason.owners === null ? '' : owners.replace('{owners}', String(reason.owners)),
    end,
  ].join('');
}

/** A stored reason in the words of a language; a text that is no wording of a code stays as it is. */
export function wordReason(text: string, language: ReaderLanguage): WordedReason {
  const reason = readReason(text);
  if (reason === null) return { reason: text };
  const { opening, by, about, concrete, owners } = reason;
  const parts = [
    opening,
    by,
    about === null ? null : 'about',
    concrete ? 'concrete' : null,
    owners === null ? null : 'owners',
  ];
  return {
    reason: reasonIn(language, reason),
    reasonCode: parts.filter((part) => part !== null).join('.'),
    reasonValues: { ...(about === null ? {} : { about }), ...(owners === null ? {} : { owners }) },
  };
}

interface Reading {
  readonly pattern: RegExp;
  readonly openings: ReadonlyMap<string, Pick<SelectionReason, 'opening' | 'by'>>;
}

function readingOf({ openings, about, concrete, owners, end }: Wording): Reading {
  const known = new Map(
    Object.entries(openings).flatMap(([opening, texts]) =>
      Object.entries(texts).map(([by, text]) => [
        text,
        {
          opening: opening as SelectionReason['opening'],
          by: by === 'anyone' ? null : (by as 'company' | 'press'),
        },
      ]),
    ),
  );
  const alternatives = [...known.keys()].map((text) => RegExp.escape(text)).join('|');
  // A name contains no comma, so that it ends before the next part.
  const named = about.replace('{about}', '(?<about>[^,，。;；]{1,60}?)');
  const counted = owners.replace('{owners}', String.raw`(?<owners>\d{1,6})`);
  const pattern = `^(?<opening>${alternatives})(?:${named})?(?<concrete>${concrete})?(?:${counted})?${RegExp.escape(end)}$`;
  return { pattern: new RegExp(pattern, 'u'), openings: known };
}

const readings = [english, chinese, earlierChinese].map(readingOf);

function readReason(text: string): SelectionReason | null {
  for (const { pattern, openings } of readings) {
    const found = pattern.exec(text)?.groups;
    const opening = openings.get(found?.['opening'] ?? '');
    if (found === undefined || opening === undefined) continue;
    return {
      ...opening,
      about: found['about'] ?? null,
      concrete: found['concrete'] !== undefined,
      owners: found['owners'] === undefined ? null : Number(found['owners']),
    };
  }
  return null;
}
