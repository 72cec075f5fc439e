/**
 * The value of a placeholder. Dates, decimals and JSON are texts; lists are JSON texts or as the dialect binds them.
 */
export type SqlValue = string | number | bigint | Uint8Array | null

/** A row by position, in the order of the select list. */
export type Row = readonly SqlValue[]
