/** The address below the console of the form for a new record. No record has it: their addresses have one part less. */
export function pathOfNewRecord(table: string): string {
  return `/data/${encodeURIComponent(table)}/records/new`
}
