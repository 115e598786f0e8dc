/** The forms in which a secret could be stored: plain, as bytes in hex, in base64. */
function formsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  return [
    secret,
    bytes.toString('hex'),
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('base64url'),
  ];
}

export function findInText(text: string, secrets: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(secrets)
    .filter(([, secret]) => formsOf(secret).some((form) => text.includes(form)))
    .map(([name]) => name);
}

/** Searches every row of every table of the database, the engine's included, as its superuser. */
export async function findInDatabase(
  query: (text: string) => Promise<readonly Readonly<Record<string, unknown>>[]>,
  secrets: Readonly<Record<string, string>>,
): Promise<{ readonly rows: number; readonly found: readonly string[] }> {
  const tables = await query(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
     WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
  );
  const found: string[] = [];
  let count = 0;
  for (const { name } of tables) {
    const rows = await query(`SELECT one::text AS line FROM ${String(name)} AS one`);
    count += rows.length;
    const text = rows.map(({ line }) => line).join('\n');
    found.push(...findInText(text, secrets).map((secret) => `${secret} in ${String(name)}`));
  }
  return { rows: count, found };
}
