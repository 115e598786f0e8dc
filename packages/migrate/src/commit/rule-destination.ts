/** Where a rule for agents can go. A harness's own memory is not among them, on purpose. */
export type RuleDestination =
  | { readonly kind: 'rule-file' }
  | { readonly kind: 'hook' }
  | { readonly kind: 'permission'; readonly list: 'allow' | 'ask' | 'deny'; readonly pattern: string }
  | { readonly kind: 'gotcha'; readonly skill: string };
