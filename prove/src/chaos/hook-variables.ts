/** Environment of a process whose clock the suite can move. */
export const clockHookPort = 'PROVE_CHAOS_HOOK_PORT';
