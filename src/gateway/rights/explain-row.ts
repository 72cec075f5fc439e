/** Says of one record which conditions of an account's authorities it meets. */
import type { AccessExplanation, ExplainedAuthority } from '../../access/authorization/explain-access.ts'
import { type AccountAttributes, conditionsOf } from '../../access/authorization/record-conditions.ts'
import type { Database } from '../../database/dialect.ts'
import type { Connection } from '../../database/driver.ts'
import { AppError } from '../../errors/app-error.ts'
import { bind } from '../../query/binding.ts'
import { compileRowTests } from '../../query/compile-row-tests.ts'
import { ruleVariables } from '../../query/rule-filter.ts'
import type { PublishedEntity } from '../../record/record-rules.ts'
import { missingRecord } from '../../record/record-target.ts'
import { filterOfKeys } from '../../record/select-rows.ts'
import { recordAt } from '../../rest/record-address.ts'
import type { ServedSchema } from '../served-schema.ts'
import { type GrantContext, misfitsOf, readRows } from './grants.ts'
import { RuleTables } from './rule-tables.ts'

export interface ExplainRowParts {
  readonly database: Database
  readonly served: () => ServedSchema
}

/**
 * The explanation with what the conditions say of a record, by its identifier, for each authority that matches.
 * Throws PARAMETER_INVALID for a path of no published entity, RECORD_NOT_FOUND.
 */
export async function explainRow(
  explanation: AccessExplanation,
  row: string,
  attributes: AccountAttributes,
  now: Date,
  { database, served }: ExplainRowParts,
): Promise<AccessExplanation> {
  const schema = served()
  const entity = entityAt(explanation.path ?? '', schema)
  const target = recordAt(entity, row)
  const { key } = target
  if (key === undefined) throw missingRecord(target)
  const tables = new RuleTables(schema.snapshot.model)
  const caller = { account: { ...attributes }, now }
  const context: GrantContext = { tables, dialect: database.dialect, caller }
  const explained = async (
    authority: ExplainedAuthority,
    connection: Connection,
  ): Promise<ExplainedAuthority> => {
    const { rows = [], path_matches: isOnPath, method_matches: isForMethod } = authority
    if (conditionsOf(authority) === undefined || !isOnPath || !isForMethod) return authority
    const filterable = tables.filterableOf(entity.table)
    const rules = rows.map((condition) => readRows([condition], filterable, context))
    const plan = {
      table: entity.table,
      columns: [],
      tests: [...rules.map(({ filter }) => filter), undefined],
      filter: filterOfKeys([key]),
    }
    const template = compileRowTests(plan, database.dialect)
    const durations = rules.flatMap((rule) => rule.durations)
    const variables = ruleVariables(caller, durations)
    const parameters = bind(template.bindings, { variables, syntax: database.dialect.syntax })
    const [found] = await connection.query({ sql: template.sql, parameters })
    if (found === undefined) throw missingRecord(target)
    const unmet = rows.flatMap((_, index) => (Number(found[index]) === 1 ? [] : [`/rows/${index}`]))
    const failed = [...unmet, ...misfitsOf(authority, entity.table, context)]
    return { ...authority, row: { admitted: failed.length === 0, failed } }
  }
  return database.driver.read(async (connection) => {
    const roles = []
    for (const role of explanation.roles ?? []) {
      const authorities = []
      for (const authority of role.authorities) authorities.push(await explained(authority, connection))
      roles.push({ ...role, authorities })
    }
    return { ...explanation, roles }
  })
}

function entityAt(path: string, { snapshot, published }: ServedSchema): PublishedEntity {
  const [, kind, name = ''] = path.split('/')
  const table = kind === 'graphql' ? snapshot.model.entities.get(name)?.table.id : undefined
  const entity =
    kind === 'apis' ? published.get(name) : [...published.values()].find((one) => one.table.id === table)
  if (entity !== undefined) return entity
  throw new AppError('PARAMETER_INVALID', {
    detail:
      'row takes the identifier of a record of a published entity: the path is /apis/<resource> or /graphql/<Entity>.',
  })
}
