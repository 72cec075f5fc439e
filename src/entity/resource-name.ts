/** Where an adopted table is published: as an entity of its name, but for one that is a plural already. */
export function adoptedResourceName(table: string): string {
  const isPlural = /[^sui]s$/.test(table)
  return isPlural ? table.charAt(0).toLowerCase() + table.slice(1) : resourceName(table)
}

/** Where an entity is published below `/apis/`: its name in the plural, first letter in lower case. */
export function resourceName(entity: string): string {
  const name = entity.charAt(0).toLowerCase() + entity.slice(1)
  if (/[^aeiou]y$/i.test(name)) return `${name.slice(0, -1)}ies`
  return /(?:s|x|z|ch|sh)$/i.test(name) ? `${name}es` : `${name}s`
}
