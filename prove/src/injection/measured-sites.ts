/** Sites of `html/article-bodies` whose sentences are never used to fit the filter: a quarter of them. */
export function isMeasuredSite(site: string): boolean {
  return site.split('').reduce((sum, sign) => (sum * 31 + sign.charCodeAt(0)) % 9973, 7) % 4 === 0;
}
