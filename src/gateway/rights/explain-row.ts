/** Says of one record which conditions of an account's authorities it meets. */
import type { AccessExplanation, ExplainedAuthority } from '../../access/authorization/explain-access.ts'
import {
  type AccountAttributes,
  conditionsOf,
  type RecordConditions,
} from '../../access/authorization/record-conditions.ts'
import type { Database } from '../../database/dialect.ts'
import type { Connection } from '../../database/driver.ts'
import { jsonPointer } from '../../documents/parse-document.ts'
import { AppError } from '../../errors/app-error.ts'
import type { Reach } from '../../http/reach.ts'
import { bind } from '../../query/binding.ts'
import { compileRowTests } from '../../query/compile-row-tests.ts'
import { type RuleContext, ruleVariables } from '../../query/rule-filter.ts'
import { readUnder } from '../../record/permitted-rows.ts'
import { recordAt } from '../../record/record-address.ts'
import { isReadable } from '../../record/record-rights.ts'
import { type PublishedEntity, rowKeyOf } from '../../record/record-rules.ts'
import { missingRecord } from '../../record/record-target.ts'
import { filterOfKeys, selectMatching } from '../../record/select-rows.ts'
import type { ServedSchema } from '../served-schema.ts'
import { type GrantContext, readRows, setValues } from './grants.ts'
import type { RecordAccess } from './record-access.ts'
import type { RightsHolder } from './rights-holder.ts'
import { RuleTables } from './rule-tables.ts'
import { unknownFields } from './unknown-fields.ts'

export interface ExplainRowParts {
  readonly database: Database
  readonly served: () => ServedSchema
}

/** Whose values conditions name, and when. */
export interface ExplainedFor {
  readonly attributes: AccountAttributes
  readonly now: Date
}

/** Who asks about itself: nothing is told of records and fields that it cannot read. */
export interface OwnRowReader {
  readonly holder: RightsHolder
  readonly recordAccess: Pick<RecordAccess, 'entityFor'>
  readonly reach: Reach
}

/** Conditions, and what they say of a record. */
type Explained = RecordConditions & Pick<ExplainedAuthority, 'row'>

/**
 * The explanation with what the conditions say of a record, by its identifier, for each authority that matches and for a
 * public route. Throws PARAMETER_INVALID for a path of no published entity, RECORD_NOT_FOUND.
 *
 * For `reader`, a record that `GET` on its path does not show is one that is not there, and conditions are left out that
 * name something else than fields which the caller reads in every record: what they say would tell of the others.
 */
export async function explainRow(
  explanation: AccessExplanation,
  row: string,
  { attributes, now }: ExplainedFor,
  { database, served }: ExplainRowParts,
  reader?: OwnRowReader,
): Promise<AccessExplanation> {
  const schema = served()
  const tables = new RuleTables(schema)
  const entity = entityAt(explanation.path ?? '', schema, tables)
  const target = recordAt(entity, row)
  const { key } = target
  if (key === undefined) throw missingRecord(target)
  const { dialect } = database
  const caller: RuleContext = { account: { ...attributes }, now }
  const context = { tables, caller, dialect }
  const seen = reader === undefined ? entity : seenBy(reader, row, entity)
  if (seen === undefined) throw missingRecord(target)

  const explained = async <One extends Explained>(one: One, connection: Connection): Promise<One> => {
    if (conditionsOf(one) === undefined || !namesOnly(one, (name) => isAlwaysRead(seen, name))) return one
    const outside = failedOutsideRows(one, entity, context)
    const filterable = tables.filterableOf(entity.table)
    const rules = (one.rows ?? []).map((condition) => readRows([condition], filterable, context))
    const tests = rules.map(({ filter }) => filter)
    const plan = {
      table: entity.table,
      columns: [],
      tests: [...tests, undefined],
      filter: filterOfKeys([key]),
    }
    const template = compileRowTests(plan, dialect)
    const durations = rules.flatMap((rule) => rule.durations)
    const variables = ruleVariables(caller, durations)
    const parameters = bind(template.bindings, { variables, syntax: dialect.syntax })
    const [found] = await connection.query({ sql: template.sql, parameters })
    if (found === undefined) throw missingRecord(target)
    const inRows = tests.flatMap((_, index) => (Number(found[index]) === 1 ? [] : [`/rows/${index}`]))
    const failed = [...inRows, ...outside]
    return { ...one, row: { admitted: failed.length === 0, failed } }
  }

  return database.driver.read(async (connection) => {
    const read = readUnder(key, seen)
    const selection = { table: entity.table, columns: rowKeyOf(entity), reader: read.reader }
    const [found] = await selectMatching(selection, filterOfKeys([read.key]), connection, dialect)
    if (found === undefined) throw missingRecord(target)
    const roles = []
    for (const role of explanation.roles ?? []) {
      const authorities = []
      for (const authority of role.authorities) {
        const isMatching = authority.path_matches && authority.method_matches
        authorities.push(isMatching ? await explained(authority, connection) : authority)
      }
      roles.push({ ...role, authorities })
    }
    const { route } = explanation
    return { ...explanation, roles, ...(route && { route: await explained(route, connection) }) }
  })
}

/** The entity as a caller reads a record of it; undefined if it may not read any there. */
function seenBy(
  { holder, recordAccess, reach }: OwnRowReader,
  row: string,
  entity: PublishedEntity,
): PublishedEntity | undefined {
  const path = `/apis/${entity.resource}/${row}`
  if (!reach.mayCall('GET', path) && !reach.anybody.mayCall('GET', path)) return undefined
  return recordAccess.entityFor(holder, 'GET', path, entity)
}

/** Whether a caller reads a field in every record that it reaches. */
function isAlwaysRead({ rights }: PublishedEntity, name: string): boolean {
  return isReadable(rights, name) && rights?.read?.table.masks.has(name) !== true
}

/** Whether conditions on rows name nothing but fields of the entity for which a test is true. */
function namesOnly({ rows = [] }: RecordConditions, test: (name: string) => boolean): boolean {
  const isMet = (item: unknown): boolean => {
    if (Array.isArray(item)) return item.every(isMet)
    return typeof item === 'object' && item !== null && 'key' in item && test(String(item.key))
  }
  return rows.every(isMet)
}

/** Pointers of what makes conditions admit nothing, whatever the record: unknown fields, and values that there are not. */
function failedOutsideRows(
  conditions: RecordConditions,
  { table }: PublishedEntity,
  context: GrantContext,
): readonly string[] {
  const unknown = unknownFields({ ...conditions, rows: undefined }, table, context.tables)
  const without = Object.entries(conditions.set ?? {}).filter(
    ([name, value]) => table.columns.has(name) && setValues({ [name]: value }, table, context) === undefined,
  )
  return [...unknown.map(({ pointer }) => pointer), ...without.map(([name]) => ['set', name])].map(
    jsonPointer,
  )
}

function entityAt(path: string, { snapshot, published }: ServedSchema, tables: RuleTables): PublishedEntity {
  const [, kind, name = ''] = path.split('/')
  const table = kind === 'graphql' ? snapshot.model.entities.get(name)?.table : undefined
  const entity = kind === 'apis' ? published.get(name) : table && tables.publishedOf(table)
  if (entity !== undefined) return entity
  throw new AppError('PARAMETER_INVALID', {
    detail:
      'row takes the identifier of a record of a published entity: the path is /apis/<resource> or /graphql/<Entity>.',
  })
}
