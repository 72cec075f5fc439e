import { conversionName } from '../../conversion.ts'
import type { ForeignKey } from '../../database-schema.ts'
import type { Statement } from '../../driver.ts'
import { ownTablePrefix } from '../../own-tables.ts'
import { type CataloguedTable, hasColumns } from '../../table-catalog.ts'
import type { TableChange } from '../../table-change.ts'
import { standardSyntax } from '../standard-syntax.ts'
import { conversion } from './conversion.ts'
import { declaredTypes } from './types.ts'

const quote = standardSyntax.quoteIdentifier
const list = (names: readonly string[]) => names.map(quote).join(', ')
const statement = (sql: string): Statement => ({ sql, parameters: [] })

export interface RebuildParts {
  readonly referencesText: (key: ForeignKey) => string
  /** A name that no other index has. */
  readonly newIndexName: (columns: readonly string[]) => string
}

/** A column of the new table, and the source of its values. */
interface RebuiltColumn {
  readonly name: string
  readonly definition: string
  readonly nullable: boolean
  /** The expression over the old table; undefined for the column's default. */
  readonly source: string | undefined
}

/**
 * Rebuilds a table with changes of its columns, keys and references, and copies its rows:
 * https://www.sqlite.org/lang_altertable.html#otheralter. For a transaction without enforced foreign keys.
 */
export function rebuildTable(
  found: CataloguedTable,
  changes: readonly TableChange[],
  { referencesText, newIndexName }: RebuildParts,
): readonly Statement[] {
  const columns = columnsAfter(found, changes)
  const names = new Set(columns.map(({ name }) => name))
  const stays = ({ columns: own }: { readonly columns: readonly string[] }) =>
    own.every((name) => names.has(name))
  const isDropped = (kind: 'dropUnique' | 'dropReference', own: readonly string[]) =>
    changes.some(
      (change) =>
        (change.kind === 'dropUnique' && kind === 'dropUnique' && hasColumns(change, own)) ||
        (change.kind === 'dropReference' && kind === 'dropReference' && hasColumns(change.key, own)),
    )
  const uniqueKeys = found.uniqueKeys.filter((key) => stays(key) && !isDropped('dropUnique', key.columns))
  const uniqueLists = [
    ...uniqueKeys.filter(({ name }) => isAutomatic(name)).map((key) => key.columns),
    ...changes.flatMap((change) => (change.kind === 'addUnique' ? [change.columns] : [])),
  ]
  const foreignKeys = [
    ...found.foreignKeys.filter((key) => stays(key) && !isDropped('dropReference', key.columns)),
    ...changes.flatMap((change) => (change.kind === 'addReference' ? [change.key] : [])),
  ]
  const droppedIndexes = changes.flatMap((change) => (change.kind === 'dropReference' ? [change.index] : []))
  const indexes = found.indexes.filter(
    (key) => stays(key) && !droppedIndexes.some((dropped) => hasColumns(key, dropped)),
  )
  const temporary = `${ownTablePrefix}rebuilt_${found.name}`
  const lines = [
    ...columns.map(
      ({ name, definition, nullable }) => `${quote(name)} ${definition}${nullable ? '' : ' not null'}`,
    ),
    `primary key (${list(found.primaryKey)})`,
    ...uniqueLists.map((own) => `unique (${list(own)})`),
    ...foreignKeys.map((key) => `foreign key (${list(key.columns)}) ${referencesText(key)}`),
  ]
  const filled = columns.flatMap(({ name, source }) => (source === undefined ? [] : [{ name, source }]))
  return [
    statement(`create table ${quote(temporary)} (\n  ${lines.join(',\n  ')}\n)`),
    statement(
      `insert into ${quote(temporary)} (${list(filled.map(({ name }) => name))}) select ${filled.map(({ source }) => source).join(', ')} from ${quote(found.name)}`,
    ),
    statement(`drop table ${quote(found.name)}`),
    // References and views use the name, and must not be redirected to the new table before it has it.
    statement('pragma legacy_alter_table = on'),
    statement(`alter table ${quote(temporary)} rename to ${quote(found.name)}`),
    statement('pragma legacy_alter_table = off'),
    ...uniqueKeys
      .filter(({ name }) => !isAutomatic(name))
      .map(({ name, columns: own }) =>
        statement(`create unique index ${quote(name)} on ${quote(found.name)} (${list(own)})`),
      ),
    ...indexes.map(({ name, columns: own }) =>
      statement(`create index ${quote(name)} on ${quote(found.name)} (${list(own)})`),
    ),
    ...changes.flatMap((change) =>
      change.kind === 'addReference'
        ? [
            statement(
              `create index ${quote(newIndexName(change.index))} on ${quote(found.name)} (${list(change.index)})`,
            ),
          ]
        : [],
    ),
    ...found.others.map(statement),
  ]
}

const isAutomatic = (name: string) => name.startsWith('sqlite_autoindex_')

function columnsAfter(found: CataloguedTable, changes: readonly TableChange[]): readonly RebuiltColumn[] {
  const kept = found.columns.map(({ name, definition, nullable }): RebuiltColumn => {
    return { name, definition, nullable, source: quote(name) }
  })
  const columns = new Map(kept.map((column) => [column.name, column]))
  for (const change of changes) {
    if (change.kind === 'addColumn') {
      const { name, type, nullable, fill = null } = change.column
      const fallback = fill === null ? '' : ` default ${literal(fill)}`
      columns.set(name, { name, definition: declaredTypes[type] + fallback, nullable, source: undefined })
    } else if (change.kind === 'dropColumn') {
      columns.delete(change.column)
    } else if (change.kind === 'changeColumn') {
      const column = columns.get(change.to.name)
      if (column !== undefined) columns.set(column.name, changedColumn(column, change))
    }
  }
  return [...columns.values()]
}

function changedColumn(
  column: RebuiltColumn,
  { from, to }: Extract<TableChange, { kind: 'changeColumn' }>,
): RebuiltColumn {
  const name = from.type === to.type ? undefined : conversionName(from.type, to.type)
  const source = column.source ?? 'null'
  const converted = name === undefined ? source : conversion(name, source).expression
  const fill = to.fill ?? null
  return {
    name: column.name,
    definition: from.type === to.type ? column.definition : declaredTypes[to.type],
    nullable: to.nullable,
    source: !to.nullable && fill !== null ? `coalesce(${converted}, ${literal(fill)})` : converted,
  }
}

function literal(value: string | number): string {
  return typeof value === 'number' ? String(value) : `'${value.replaceAll("'", "''")}'`
}
