import type { DatabaseConnection } from '../../../apps/server/src/foundation/database/database.ts';
import type { Limit, Period, Scope } from './budget-world.ts';
import type { Charge } from './charging-model.ts';

type Pool = DatabaseConnection['pool'];

export interface UsageLog {
  /** Amounts of the subject are compared with the limit from now on; null: of every subject of the scope. */
  readonly limit: (
    organizationId: string,
    limit: {
      readonly limit: Limit;
      readonly scope: Scope;
      readonly period: Period;
      readonly subject: string | null;
      readonly max: number;
    },
  ) => Promise<void>;
  readonly aboveLimit: () => Promise<{ readonly committed: number; readonly above: number }>;
}

/** Every amount that a transaction commits: a refused call writes nothing here, because its transaction is rolled back. */
export async function openUsageLog(pool: Pool): Promise<UsageLog> {
  await pool.query(`
    CREATE TABLE public.prove_limit (organization_id uuid, scope text, period text, subject_id uuid, counted text, max bigint);
    CREATE TABLE public.prove_amount (LIKE agents.model_usage);
    CREATE FUNCTION public.prove_log_amount() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
      BEGIN INSERT INTO public.prove_amount SELECT NEW.*; RETURN NULL; END $$;
    CREATE TRIGGER prove_log_amount AFTER INSERT OR UPDATE ON agents.model_usage
      FOR EACH ROW EXECUTE FUNCTION public.prove_log_amount();`);
  return {
    limit: async (organizationId, { limit, scope, period, subject, max }) => {
      await pool.query('INSERT INTO public.prove_limit VALUES ($1, $2, $3, $4, $5, $6)', [
        organizationId,
        scope,
        period,
        subject,
        limit,
        max,
      ]);
    },
    aboveLimit: async () => {
      const { rows } = await pool.query<{ committed: string; above: string }>(`
        SELECT count(*) AS committed,
          count(*) FILTER (WHERE CASE counted WHEN 'tokens' THEN tokens ELSE cost END > max) AS above
        FROM public.prove_amount JOIN public.prove_limit AS l USING (organization_id, scope, period)
        WHERE l.subject_id IS NULL OR l.subject_id = prove_amount.subject_id`);
      return { committed: Number(rows[0]?.committed), above: Number(rows[0]?.above) };
    },
  };
}

export interface ComparedAccounts {
  readonly providerTokens: number;
  readonly receiptTokens: number;
  readonly interrupted: number;
  readonly interruptedProviderTokens: number;
  readonly interruptedReservedTokens: number;
  readonly differing: number;
  readonly unknown: number;
  readonly aboveReservation: number;
  readonly twice: number;
  readonly differingPeriods: number;
  readonly faults: readonly string[];
}

interface CallRow {
  readonly key: string;
  readonly state: 'reserved' | 'received' | 'failed' | 'refused';
  readonly tokens: string;
  readonly cost: string;
  readonly reserved_tokens: string;
  readonly reserved_cost: string;
}

/** What the provider counted, call by call, with the rows of the calls, and these with the periods. */
export async function compareAccounts(
  pool: Pool,
  charges: ReadonlyMap<string, Charge>,
): Promise<ComparedAccounts> {
  const { rows } = await pool.query<CallRow>(
    'SELECT key, state, tokens, cost, reserved_tokens, reserved_cost FROM agents.model_call',
  );
  const known = new Set(rows.map(({ key }) => key));
  const compared = rows.map((row) => ({
    row,
    charge: charges.get(row.key) ?? { times: 0, tokens: 0, cost: 0 },
  }));
  const received = compared.filter(({ row }) => row.state === 'received');
  const open = compared.filter(({ row }) => row.state === 'reserved' || row.state === 'failed');
  const differing = compared.filter(
    ({ row, charge }) =>
      (row.state === 'received' || row.state === 'refused') &&
      (Number(row.tokens) !== charge.tokens || Number(row.cost) !== charge.cost),
  );
  const aboveReservation = compared.filter(
    ({ row, charge }) =>
      charge.tokens > Number(row.reserved_tokens) || charge.cost > Number(row.reserved_cost),
  );
  const differingPeriods = await readDifferingPeriods(pool);
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
  return {
    providerTokens: sum([...charges.values()].map(({ tokens }) => tokens)),
    receiptTokens: sum(received.map(({ row }) => Number(row.tokens))),
    interrupted: rows.filter(({ state }) => state === 'reserved').length,
    interruptedProviderTokens: sum(open.map(({ charge }) => charge.tokens)),
    interruptedReservedTokens: sum(open.map(({ row }) => Number(row.tokens))),
    differing: differing.length,
    unknown: [...charges.keys()].filter((key) => !known.has(key)).length,
    aboveReservation: aboveReservation.length,
    twice: [...charges.values()].filter(({ times }) => times > 1).length,
    differingPeriods: differingPeriods.length,
    faults: [
      ...differing.map(
        ({ row, charge }) => `${row.key}: ${row.state} ${row.tokens}, counted ${charge.tokens}`,
      ),
      ...aboveReservation.map(
        ({ row, charge }) => `${row.key}: reserved ${row.reserved_tokens}, ${charge.tokens}`,
      ),
      ...differingPeriods,
    ],
  };
}

async function readDifferingPeriods(pool: Pool): Promise<readonly string[]> {
  const { rows } = await pool.query<{ period: string }>(`
    SELECT concat_ws(' ', scope, period, starts_at, tokens, summed) AS period FROM agents.model_usage AS usage
    LEFT JOIN LATERAL (
      SELECT coalesce(sum(tokens), 0) AS summed, coalesce(sum(cost), 0) AS summed_cost, count(*) AS calls_made
      FROM agents.model_call AS call
      WHERE call.organization_id = usage.organization_id
        AND date_trunc(usage.period, call.reserved_at, 'UTC') = usage.starts_at
        AND usage.subject_id = CASE usage.scope
          WHEN 'organization' THEN call.organization_id WHEN 'agent' THEN call.agent_id ELSE call.account_id END
    ) AS calls ON true
    WHERE tokens <> summed OR cost <> summed_cost OR calls <> calls_made`);
  return rows.map(({ period }) => period);
}
