/** "Correction: …", "Author Correction: …", 更正：…: the whole text is about an error of an earlier one. */
const noticeTitle =
  /^\W*(?:(?:(?:author|publisher|editorial) )?corrections?(?:\s*$|\s*[:：]| to[: ]| and clarifications\b)|clarifications?\s*(?:$|[:：])|errat(?:um|a)\b|corrigend(?:um|a)\b|retraction(?: note)?\s*(?:$|[:：])|editor[’']?s note\s*(?:$|[:：]))|^[【[（(]?\s*(?:更正|勘误|更正启事|更正声明|勘误声明|更正与说明|编者按|致读者)\s*(?:$|[:：】\]）)])/iu;
/** The opening of a notice whose title repeats that of the earlier text. */
const noticeOpening =
  /^\W*(?:(?:an|a|the) (?:earlier|previous|original) (?:version|edition) of (?:this|the|our|an) (?:article|story|post|report|headline)\b|in (?:an|our|the) (?:article|story|report) (?:published|posted|of|on)\b.{0,120}\b(?:misstated|incorrectly|wrongly|erroneously|was wrong))|^(?:本报|本刊|本网|我们)?(?:此前|日前|昨日)?(?:刊发|发布|发表)的.{0,60}(?:有误|错误|应为)/iu;

/** A long text with such an opening is the corrected article itself. */
const noticeCharsMax = 800;

/** Whether a text reports nothing but the correction of an earlier one; "CORRECTED-" before a headline is news. */
export function isCorrectionNotice({
  title,
  text,
}: {
  readonly title: string;
  readonly text: string;
}): boolean {
  if (noticeTitle.test(title)) return true;
  return text.length <= noticeCharsMax && noticeOpening.test(text);
}
