import pluralize from 'pluralize'

/** Where an entity is published below `/apis/`: its name in the plural, first letter in lower case. */
export function resourceName(entity: string): string {
  const [, before = entity, word = ''] = /^(.*?)([A-Z]?[a-z]+|[A-Z]+)$/s.exec(entity) ?? []
  const name = word === '' ? `${entity}s` : before + pluralWord(word)
  return name.charAt(0).toLowerCase() + name.slice(1)
}

/** The library would write the ending of an abbreviation in capitals. */
function pluralWord(word: string): string {
  const lowerCase = word.toLowerCase()
  const plural = pluralize.plural(lowerCase)
  if (plural.startsWith(lowerCase)) return word + plural.slice(lowerCase.length)
  return pluralize.plural(word)
}
