/** Ways to break the rights on rows and fields, as changes of the sources. The random tests must notice each of them. */

/** A text of a source file, which is there once, and what stands there instead. */
interface Replacement {
  readonly file: string
  readonly text: string
  readonly by: string
}

export interface Mutant {
  readonly name: string
  readonly replacements: readonly Replacement[]
}

const mutant = (name: string, file: string, text: string, by: string): Mutant => ({
  name,
  replacements: [{ file, text, by }],
})

/** The rights without what may be written, so that nothing is tested after a change. */
const unrestricted = '{ ...entity, rights: entity.rights && { ...entity.rights, write: undefined } }'

/** Selects that read fields as the caller is given them, and also have their real values under other names. */
const withRealValues: Replacement = {
  file: 'src/query/compile-filter.ts',
  text: '  const where = rows === undefined',
  by: `  for (const column of columns)
    if (masks.has(column.name)) selected.push(sql<Binding>\`\${columnOf(column, alias, dialect)} as \${raw(dialect.syntax.quoteIdentifier('real ' + column.name))}\`)
  const where = rows === undefined`,
}

function onRealValues(name: string, plan: string): Mutant {
  const head =
    'export function compileSelect(plan: SelectPlan, dialect: Dialect, heldRows?: number): CompiledSelect {'
  const by = `export function compileSelect(given: SelectPlan, dialect: Dialect, heldRows?: number): CompiledSelect {
  const real = (column: Column): Column =>
    given.rights?.masks.has(column.name) ? { ...column, name: 'real ' + column.name } : column
  const realIn = (filter: Filter): Filter => {
    if (filter.kind === 'and' || filter.kind === 'or') return { ...filter, filters: filter.filters.map(realIn) }
    return 'column' in filter ? { ...filter, column: real(filter.column) } : filter
  }
  const plan: SelectPlan = ${plan}`
  return {
    name,
    replacements: [withRealValues, { file: 'src/query/compile-select.ts', text: head, by }],
  }
}

export const mutants: readonly Mutant[] = [
  mutant('node', 'src/graphql/planning/plan-node.ts', '    rights: entity.rights,', '    rights: undefined,'),
  mutant(
    'references',
    'src/graphql/planning/plan-object.ts',
    '    rights: entity.rights,',
    '    rights: undefined,',
  ),
  mutant(
    'collections',
    'src/graphql/planning/plan-connection.ts',
    '    rights: entity.rights,',
    '    rights: keyColumns ? undefined : entity.rights,',
  ),
  mutant(
    'totals',
    'src/query/compile-select.ts',
    'function compileTotal(plan: SelectPlan, dialect: Dialect): SqlFragment<Binding> {',
    `function compileTotal(given: SelectPlan, dialect: Dialect): SqlFragment<Binding> {
  const plan = { ...given, rights: given.rights && { ...given.rights, rows: undefined } }`,
  ),
  mutant(
    'aggregates',
    'src/query/compile-aggregates.ts',
    'const rows = { ...unnumbered, orderBy: [] }',
    'const rows = { ...unnumbered, orderBy: [], rights: select.rights && { ...select.rights, rows: undefined } }',
  ),
  mutant(
    'aggregates of fields',
    'src/query/compile-aggregates.ts',
    'const rows = { ...unnumbered, orderBy: [] }',
    'const rows = { ...unnumbered, orderBy: [], rights: select.rights && { ...select.rights, masks: new Map() } }',
  ),
  mutant(
    'lists of published APIs',
    'src/rest/read-list-request.ts',
    '\n    rights: entity.rights?.read?.table,',
    '\n    rights: undefined,',
  ),
  mutant(
    'related rows in filters and orders of published lists',
    'src/rest/read-list-request.ts',
    'rights: entity.rights?.read?.table, filterable }',
    'rights: undefined, filterable }',
  ),
  mutant(
    'related rows in filters and orders of GraphQL',
    'src/graphql/planning/filterable-in.ts',
    '...field.link, table, rights, isList,',
    '...field.link, table, rights: rights && undefined, isList,',
  ),
  mutant(
    'rows that quantifiers ask about',
    'src/query/compile-filter.ts',
    '  if (rights?.rows !== undefined) conditions.push(compileFilter(rights.rows, inner, dialect))',
    '',
  ),
  mutant(
    'rows of public routes for entities',
    'src/access/authorization/public-parts.ts',
    '    return this.#routes.find(({ pattern }) => namesPart(pattern, front, name))?.opens',
    `    const opens = this.#routes.find(({ pattern }) => namesPart(pattern, front, name))?.opens
    return opens && { ...opens, conditions: opens.conditions && { ...opens.conditions, rows: undefined } }`,
  ),
  mutant('one record', 'src/rest/get-record.ts', '...readUnder(key, entity)', 'key'),
  mutant(
    'fields of one record',
    'src/rest/get-record.ts',
    'const read = readUnder(key, entity)',
    'const read = { key, reader: undefined }',
  ),
  mutant(
    'identifiers that are given on other records',
    'src/gateway/rights/read-rights-for.ts',
    'keyColumnsOf(table).map(({ name }) => name)',
    "['instance', 'id']",
  ),
  mutant(
    'fields of related records',
    'src/rest/fields/shown-records.ts',
    'rights: rights?.read?.table,',
    'rights: undefined,',
  ),
  mutant(
    'names of fields of related records',
    'src/record/record-layout.ts',
    'membersOf(entity, (name) => isReadable(entity.rights, name))',
    'membersOf(entity, () => true)',
  ),
  mutant(
    'the list of related records',
    'src/gateway/rights/related-entities.ts',
    'if (caller === undefined || !mayList(path))',
    'if (caller === undefined)',
  ),
  onRealValues(
    'sorting by a hidden value',
    '{ ...given, orderBy: given.orderBy.map((term) => ({ ...term, column: real(term.column) })) }',
  ),
  onRealValues(
    'filtering by a hidden value',
    '{ ...given, ...(given.filter && { filter: realIn(given.filter) }) }',
  ),
  mutant(
    'If-Match',
    'src/record/record-target.ts',
    '  precondition.assert(text)',
    '  precondition.assert(layoutOf(entity).write(row))',
  ),
  mutant(
    'before a change',
    'src/record/record-target.ts',
    "if (grants?.length === 0) throw rowNotAllowed('The caller may read",
    "if (grants?.length === -1) throw rowNotAllowed('The caller may read",
  ),
  mutant(
    'after POST',
    'src/record/require-admitted.ts',
    'if (refused.size === 0) return',
    'if (refused.size >= 0) return',
  ),
  ...[
    ['after PATCH', 'merge'],
    ['after PUT', 'replace'],
  ].map(([name = '', kind = '']) =>
    mutant(
      name,
      'src/record/change-record.ts',
      'await requireStillAdmitted(keyAfter, entity,',
      `await requireStillAdmitted(keyAfter, kind === '${kind}' ? ${unrestricted} : entity,`,
    ),
  ),
  mutant(
    'fields that are written',
    'src/record/permitted-document.ts',
    '    if (mayWrite(name, grants)) return true',
    '    if (mayWrite(name, grants) || rules.fields.has(name)) return true',
  ),
  mutant(
    'what references lead to',
    'src/record/check-values.ts',
    'const reader = referencesReader(',
    'const reader = undefined && referencesReader(',
  ),
  mutant(
    'set, which is chosen by record',
    'src/record/new-records.ts',
    'refused.has(index) ? choice + 1 : choice',
    'Math.min(choice + 1, last)',
  ),
  mutant(
    'what mutations show',
    'src/graphql/planning/plan-mutation.ts',
    '    rights: entity.rights,',
    '    rights: undefined,',
  ),
  mutant(
    'rows of updateAll and deleteAll',
    'src/graphql/execution/written-targets.ts',
    'const plan = { table: entity.table, rights: type.rights,',
    'const plan = { table: entity.table, rights: undefined,',
  ),
  mutant(
    'GlobalIds of mutations',
    'src/graphql/execution/written-targets.ts',
    'reader: type.rights && {',
    'reader: type.rights && undefined && {',
  ),
  mutant(
    'calls that mutations stand for',
    'src/graphql/execution/written-targets.ts',
    'call.writing.allowedFor(method, path + address, entity)',
    'entity',
  ),
  mutant(
    'records that are connected',
    'src/graphql/execution/references-in-place.ts',
    'reader: rights && { rights, variables },',
    'reader: undefined,',
  ),
  mutant(
    'records that are created in place',
    'src/graphql/execution/references-in-place.ts',
    'const allowed = allowedFor(',
    'const allowed = ((_method: string, _path: string, one: typeof writes.entity) => one)(',
  ),
  mutant(
    'records that mutations create',
    'src/graphql/execution/write-records.ts',
    'return writing.allowedFor(',
    'return ((_method: string, _path: string, one: typeof entity) => writing && one)(',
  ),
]
