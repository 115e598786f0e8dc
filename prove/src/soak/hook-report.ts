/** What a process reports about its memory, after a garbage collection. */
export interface HookReport {
  readonly rssBytes: number;
  readonly heapBytes: number;
}

/** Environment of a process with the hook. */
export const hookVariables = { port: 'PROVE_SOAK_HOOK_PORT', leak: 'PROVE_SOAK_LEAK' } as const;
