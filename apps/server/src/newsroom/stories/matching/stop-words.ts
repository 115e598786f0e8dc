import { stemOf } from '@daybook/grounding/text';

/** Words that occur in any headline. Document frequencies cover words that are merely frequent. */
const stopWords: ReadonlySet<string> = new Set(
  `a an the of to in on for and or is are was were be been being with by from at as it its this that these those how what why
  who whom whose when where which your you i me my we us our will would can could should may might must has have
  had do does did not no nor more most than into over after before out up down off about now just all any some get
  gets got make makes made he his him her hers she they them their but if so one here there also very too only own
  via per vs v re ve ll d s t m says say said new`
    .split(/\s+/)
    .map(stemOf),
);

export function isStopWord(stem: string): boolean {
  return stopWords.has(stem);
}
