/** A name as an identifier. Backticks mean the same in every `sql_mode`. */
export function quoteIdentifier(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``
}
