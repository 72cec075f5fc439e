import { graphqlNameForm, isGraphqlName } from '../util/graphql-name.ts'
import { nearestName } from '../util/nearest-name.ts'
import type { OptionType } from './option-types.ts'
import { quote, showName } from './quote.ts'
import { suggestion } from './suggestion.ts'

/** Chosen names in GraphQL, by what they name: `Customer` for the table `tbl_customer`. */
export interface ConfiguredNames {
  /** By `table` or `schema.table`. */
  readonly tables: Readonly<Record<string, string>>
  /** By `table.column`. */
  readonly fields: Readonly<Record<string, string>>
  /** By the columns of a foreign key: `table.column` or `table.column,column`. */
  readonly references: Readonly<Record<string, string>>
  readonly collections: Readonly<Record<string, string>>
}

const parts = ['tables', 'fields', 'references', 'collections'] as const

/** Names of tables, fields, references and collections. */
export const chosenNames: OptionType<ConfiguredNames> = {
  takes: `${parts.join(', ')}, and under each the names for them; as JSON text outside of a file`,
  placeholder: 'JSON',
  parts: 'texts',
  parse: () => undefined,
  readParts(raw) {
    const given = parseObject(raw)
    if (given === undefined) return { mistakes: [`: takes ${chosenNames.takes}`] }
    const mistakes: string[] = []
    for (const key of Object.keys(given)) {
      if (parts.some((part) => part === key)) continue
      mistakes.push(`.${showName(key)}: unknown key${suggestion(nearestName(key, parts))}`)
    }
    const [tables, fields, references, collections] = parts.map((part) =>
      readNames(given[part], `.${part}`, mistakes),
    )
    mistakes.push(...repeatedIn([{ part: 'tables', names: tables }], () => ''))
    const ofType = [
      { part: 'fields', names: fields },
      { part: 'references', names: references },
    ]
    mistakes.push(...repeatedIn(ofType, tableIn))
    if (mistakes.length > 0) return { mistakes }
    return {
      value: {
        tables: tables ?? {},
        fields: fields ?? {},
        references: references ?? {},
        collections: collections ?? {},
      },
    }
  },
  show: (names) =>
    parts
      .flatMap((part) => Object.entries(names[part]).map(([of, name]) => `${showName(of)} → ${name}`))
      .join(', ') || 'none',
}

function readNames(
  value: unknown,
  where: string,
  mistakes: string[],
): Readonly<Record<string, string>> | undefined {
  if (value === undefined || value === '') return undefined
  if (!isObject(value)) {
    mistakes.push(`${where}: takes keys and names, indented under it`)
    return undefined
  }
  for (const [of, name] of Object.entries(value)) {
    if (typeof name === 'string' && isGraphqlName(name)) continue
    const shown = typeof name === 'string' ? `, not ${quote(name)}` : ''
    mistakes.push(`${where}.${showName(of)}: takes ${graphqlNameForm}${shown}`)
  }
  return value as Readonly<Record<string, string>>
}

interface NamesOfPart {
  readonly part: string
  readonly names: Readonly<Record<string, string>> | undefined
}

/** The mistakes where two things of one scope have the same name. */
function repeatedIn(parts: readonly NamesOfPart[], placeOf: (of: string) => string): readonly string[] {
  const owners = new Map<string, string>()
  const all = parts.flatMap(({ part, names = {} }) =>
    Object.entries(names).map(([of, name]) => ({ part, of, name })),
  )
  return all.flatMap(({ part, of, name }) => {
    const key = JSON.stringify([placeOf(of), name])
    const owner = owners.get(key)
    owners.set(key, owner ?? of)
    if (owner === undefined) return []
    return [`.${part}.${showName(of)}: ${quote(name)} is also chosen for ${showName(owner)}`]
  })
}

function tableIn(of: string): string {
  return of.slice(0, of.lastIndexOf('.'))
}

function parseObject(raw: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(raw)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
