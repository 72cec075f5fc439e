/**
 * Compares the definitions of an upload with the stored ones and with the tables that are there, and
 * plans what makes them agree. Only what keeps every row as it is can be planned; anything else is
 * refused, with a mistake for each change.
 */
import { isDeepStrictEqual } from 'node:util'
import type { DatabaseSchema, Table } from '../database/database-schema.ts'
import type { Ddl } from '../database/dialect.ts'
import type { TableSpec } from '../database/table-spec.ts'
import type { Mistake } from '../errors/app-error.ts'
import type { DefaultContext } from '../query/write-rules.ts'
import type { ChangePlan, ChangeStep, EntityChange } from './change-plan.ts'
import { refusedChanges } from './compare-definitions.ts'
import { type EntityDefinition, hasTable } from './entity-definition.ts'
import { type Dependent, orderByNeed } from './order-changes.ts'
import { planAddedColumn } from './plan-added-column.ts'
import type { UploadedEntity } from './read-upload.ts'
import type { KnownEntity } from './stored-definition.ts'
import { tableSpecOf } from './table-spec-of.ts'

/** Everything that a plan depends on. */
export interface Situation {
  readonly uploads: readonly UploadedEntity[]
  /** The stored entities, by name. */
  readonly known: ReadonlyMap<string, KnownEntity>
  readonly found: DatabaseSchema
  /** How many rows the tables of `growingTables` have. */
  readonly rowCounts: ReadonlyMap<string, number>
  readonly ddl: Ddl
  readonly context: DefaultContext
}

/** The plan is worth something only when there is no mistake. */
export interface Planning {
  readonly plan: ChangePlan
  readonly mistakes: readonly Mistake[]
}

/** Plans an upload. */
export function planChange(situation: Situation): Planning {
  const { uploads, known, found } = situation
  const mistakes: Mistake[] = []
  const drafts = uploads.map((upload): Draft => {
    const draft = draftOf(upload, known.get(upload.definition.name), found, situation)
    for (const mistake of draft.mistakes) {
      mistakes.push({ ...mistake, pointer: upload.pointer + mistake.pointer })
    }
    return draft
  })
  return {
    plan: { entities: orderByNeed(drafts).flatMap((group) => finish(group, situation.ddl)) },
    mistakes,
  }
}

/** The names of tables that an upload adds columns to. */
export function growingTables(
  uploads: readonly UploadedEntity[],
  { tables }: DatabaseSchema,
): readonly string[] {
  return uploads.flatMap(({ definition }) => {
    const table = hasTable(definition) ? tables.get(definition.name) : undefined
    if (table === undefined) return []
    return definition.fields.some((field) => field.persistence && !table.columns.has(field.name))
      ? [table.name]
      : []
  })
}

interface Draft extends Dependent {
  readonly upload: UploadedEntity
  readonly known: boolean
  /** Present when the table is to be created. */
  readonly create: TableSpec | undefined
  /** What is done otherwise. */
  readonly steps: readonly ChangeStep[]
  readonly mistakes: readonly Mistake[]
}

function draftOf(
  upload: UploadedEntity,
  stored: KnownEntity | undefined,
  found: DatabaseSchema,
  situation: Situation,
): Draft {
  const { definition } = upload
  const needs = definition.fields.flatMap(({ reference }) => reference?.entity ?? [])
  const draft = { name: definition.name, needs, upload, known: stored !== undefined }
  const nothing = { create: undefined, steps: [], mistakes: [] }
  if (stored !== undefined) {
    const mistakes = refusedChanges(stored.definition, definition)
    if (mistakes.length > 0) return { ...draft, ...nothing, mistakes }
  }
  const rules = [rulesStep(upload, stored)]
  if (!hasTable(definition)) return { ...draft, ...nothing, steps: rules }
  const table = tableNamed(definition.name, found)
  if (table === undefined) return { ...draft, ...nothing, create: tableSpecOf(definition) }
  if (stored === undefined) return { ...draft, ...nothing, mistakes: [foreignTable(definition, table)] }
  const growth = growTable(definition, table, stored.definition, situation)
  return { ...draft, ...nothing, ...growth, steps: growth.steps.length > 0 ? growth.steps : rules }
}

function tableNamed(name: string, { tables }: DatabaseSchema): Table | undefined {
  const lowerCase = name.toLowerCase()
  return tables.get(name) ?? [...tables.values()].find((table) => table.name.toLowerCase() === lowerCase)
}

function foreignTable({ name }: EntityDefinition, table: Table): Mistake {
  const detail = `The database has a ${table.kind} "${table.name}" already that no entity definition made. Rename or remove it, or choose another name than "${name}"; /graphql serves it as it is.`
  return { pointer: '/name', detail }
}

function growTable(
  definition: EntityDefinition,
  table: Table,
  stored: EntityDefinition,
  { rowCounts, ddl, context }: Situation,
): { readonly steps: readonly ChangeStep[]; readonly mistakes: readonly Mistake[] } {
  const spec = tableSpecOf(definition)
  const rows = rowCounts.get(table.name) ?? 0
  const steps: ChangeStep[] = []
  const mistakes: Mistake[] = []
  const columns = new Set([...table.columns.keys()].map((name) => name.toLowerCase()))
  const storedNames = new Set(stored.fields.flatMap(({ name, persistence }) => (persistence ? [name] : [])))
  for (const field of definition.fields) {
    const isThere = table.columns.has(field.name) && storedNames.has(field.name)
    if (!field.persistence || isThere) continue
    if (columns.has(field.name.toLowerCase())) {
      const detail = `The table has a column of this name already that no definition made. Choose another name.`
      mistakes.push({ pointer: `${field.pointer}/field_name`, detail })
      continue
    }
    const added = planAddedColumn(field, spec, { table, rows, ddl, context })
    if ('mistake' in added) mistakes.push(added.mistake)
    else steps.push(added.step)
  }
  return { steps, mistakes }
}

function rulesStep({ json, definition }: UploadedEntity, stored: KnownEntity | undefined): ChangeStep {
  if (stored !== undefined && isDeepStrictEqual(json, stored.entity.definition)) {
    return { kind: 'none', description: 'Nothing changes.', statements: [], rows: 'Rows stay as they are.' }
  }
  const description = hasTable(definition)
    ? 'Follow the changed rules; the table stays as it is.'
    : 'Keep the definition; it has no table.'
  return { kind: 'changeRules', description, statements: [], rows: 'Rows stay as they are.' }
}

/** The tables of a group are created together; the first one of them tells how. */
function finish(group: readonly Draft[], ddl: Ddl): readonly EntityChange[] {
  const specs = group.flatMap(({ create }) => create ?? [])
  const [first] = specs
  const created = group.filter(({ create }) => create !== undefined)
  const others = group.filter(({ create }) => create === undefined)
  return [...created, ...others].map(({ upload, known, create, steps }) => {
    if (create === undefined || first === undefined) return { upload, known, steps }
    const step: ChangeStep = {
      kind: 'createTable',
      description: `Create the table "${create.name}"${create === first ? '' : ` together with "${first.name}", because they refer to each other`}.`,
      statements: create === first ? ddl.createTables(specs) : [],
      rows: 'There are no rows yet.',
    }
    return { upload, known, steps: [step] }
  })
}
