const list = /\[((?:(?:"[^"]*"|null|-?[\d.]+)(?:, )?)+)\]/g

/**
 * The same arguments with lists of more values: the first one again and again. Short lists stand in statements value by value on
 * some products, long ones never.
 */
export function withLongLists(argument: string): string {
  return argument.replace(list, (_, values: string) => `[${values}${`, ${values.split(', ')[0]}`.repeat(9)}]`)
}
