/** What the tests need of a machine, beside Node.js. `find-requirements.ts` looks for each once per run. */
export type Requirement =
  | 'PostgreSQL'
  | 'MariaDB'
  | 'Redis'
  | 'Chromium'
  | 'nginx'
  | 'HAProxy'
  | 'PgBouncer'
  | 'Poppler'

/** The environment variable that tells the processes of a run what was not found: names, separated by commas. */
export const absentVariable = 'TEST_ABSENT'

/** Whether this machine has what a test needs. Outside a test run, everything counts as present. */
export function has(requirement: Requirement): boolean {
  return !(process.env[absentVariable] ?? '').split(',').includes(requirement)
}
