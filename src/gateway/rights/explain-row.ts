/** Says of one record which conditions of an account's authorities it meets. */
import type { AccessExplanation, ExplainedAuthority } from '../../access/authorization/explain-access.ts'
import type { AccountAttributes } from '../../access/authorization/record-conditions.ts'
import type { Database } from '../../database/dialect.ts'
import type { Connection } from '../../database/driver.ts'
import { AppError } from '../../errors/app-error.ts'
import { bind } from '../../query/binding.ts'
import { compileRowTests } from '../../query/compile-row-tests.ts'
import { type RuleContext, ruleVariables } from '../../query/rule-filter.ts'
import type { PublishedEntity } from '../../record/record-rules.ts'
import { missingRecord } from '../../record/record-target.ts'
import { filterOfKeys } from '../../record/select-rows.ts'
import { recordAt } from '../../rest/record-address.ts'
import type { ServedSchema } from '../served-schema.ts'
import { readRows } from './grants.ts'
import { RuleTables } from './rule-tables.ts'

export interface ExplainRowParts {
  readonly database: Database
  readonly served: () => ServedSchema
}

/** Conditions on rows, and what they say of a record. */
type ExplainedRows = Pick<ExplainedAuthority, 'rows' | 'row'>

/**
 * The explanation with what the conditions on rows say of a record, by its identifier, for each authority that matches and
 * for a public route. Throws PARAMETER_INVALID for a path of no published entity, RECORD_NOT_FOUND.
 */
export async function explainRow(
  explanation: AccessExplanation,
  row: string,
  attributes: AccountAttributes,
  now: Date,
  { database, served }: ExplainRowParts,
): Promise<AccessExplanation> {
  const schema = served()
  const tables = new RuleTables(schema)
  const entity = entityAt(explanation.path ?? '', schema, tables)
  const target = recordAt(entity, row)
  const { key } = target
  if (key === undefined) throw missingRecord(target)
  const { dialect } = database
  const caller: RuleContext = { account: { ...attributes }, now }
  const filterable = tables.filterableOf(entity.table)
  const explained = async <Explained extends ExplainedRows>(
    one: Explained,
    connection: Connection,
  ): Promise<Explained> => {
    if (one.rows === undefined) return one
    const rules = one.rows.map((condition) => readRows([condition], filterable, { caller, dialect }))
    const tests = rules.map(({ filter }) => filter)
    const plan = {
      table: entity.table,
      columns: [],
      tests: [...tests, undefined],
      filter: filterOfKeys([key]),
    }
    const template = compileRowTests(plan, dialect)
    const variables = ruleVariables(
      caller,
      rules.flatMap(({ durations }) => durations),
    )
    const parameters = bind(template.bindings, { variables, syntax: dialect.syntax })
    const [found] = await connection.query({ sql: template.sql, parameters })
    if (found === undefined) throw missingRecord(target)
    const failed = tests.flatMap((_, index) => (Number(found[index]) === 1 ? [] : [`/rows/${index}`]))
    return { ...one, row: { admitted: failed.length === 0, failed } }
  }
  return database.driver.read(async (connection) => {
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
