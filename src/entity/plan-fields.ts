/** What an entity that has a table already wants of it: field by field, from the column that is there to the one that is wanted. */
import { conversionName, convertibleTypes } from '../database/conversion.ts'
import type { Column, Table } from '../database/database-schema.ts'
import type { SqlValue } from '../database/driver.ts'
import type { TableChange } from '../database/table-change.ts'
import type { ColumnSpec } from '../database/table-spec.ts'
import { invariant } from '../errors/invariant.ts'
import { encodedEnum } from './check-field.ts'
import { evaluateDefault } from './default-expression.ts'
import { isUnique, referenceOf } from './drift.ts'
import { columnFields, type EntityDefinition, type EntityField } from './entity-definition.ts'
import { type FieldTypeName, fieldTypes } from './field-types/index.ts'
import type { Situation } from './plan-change.ts'
import { destructive, type PlannedSteps, rowsText } from './planned-steps.ts'
import { fieldBefore } from './renames.ts'
import { columnSpecOf } from './table-spec-of.ts'

export interface FieldsToPlan {
  readonly definition: EntityDefinition
  readonly stored: EntityDefinition
  /** As it is, under the name it has. */
  readonly table: Table
  readonly planner: PlannedSteps
  readonly situation: Situation
}

/** Plans the fields of one entity. */
export async function planFields(fields: FieldsToPlan): Promise<void> {
  const { definition, stored, table, planner } = fields
  const storedFields = new Map(columnFields(stored).map((field) => [field.name, field]))
  const wanted = columnFields(definition)
  const names = new Set(wanted.map(({ name }) => name))
  const columnNames = new Map([...table.columns.keys()].map((name) => [name.toLowerCase(), name]))
  const kept = new Set<string>()
  for (const field of wanted) {
    const same = storedFields.get(field.name)
    const column = table.columns.get(field.name)
    if (same !== undefined && column !== undefined) {
      kept.add(same.name)
      await planKept({ ...fields, field, before: same, column })
      continue
    }
    const renamed = fieldBefore(field, storedFields, names)
    const oldColumn = renamed && table.columns.get(renamed.name)
    const taken = columnNames.get(field.name.toLowerCase())
    if (renamed !== undefined && oldColumn !== undefined) {
      kept.add(renamed.name)
      if (taken !== undefined && taken !== renamed.name) planner.refuse(nameTaken(field, taken))
      else await planRenamed({ ...fields, field, before: renamed, column: oldColumn })
    } else if (taken !== undefined) planner.refuse(nameTaken(field, taken))
    else {
      refuseRename(field, storedFields, planner)
      await planAdded({ ...fields, field })
    }
  }
  for (const field of storedFields.values()) {
    if (!kept.has(field.name) && table.columns.has(field.name)) await planDropped({ ...fields, field })
  }
  await planIdentifier(fields)
}

/** A field that is here still cannot have become another one. */
function refuseRename(
  { pointer, renamedFrom }: EntityField,
  stored: ReadonlyMap<string, EntityField>,
  planner: PlannedSteps,
): void {
  if (renamedFrom === undefined || !stored.has(renamedFrom)) return
  const detail = `The field "${renamedFrom}" is in the definition still. Leave one of them out, and add a new field of that name by another upload.`
  planner.refuse({ pointer: `${pointer}/renamed_from`, detail, isAllowable: false })
}

function nameTaken(field: EntityField, column: string) {
  const detail = `The table has a column "${column}" already. Choose another name, or drop that one by an upload before.`
  return { pointer: `${field.pointer}/field_name`, detail, isAllowable: false }
}

interface FieldToPlan extends FieldsToPlan {
  readonly field: EntityField
}

interface KeptField extends FieldToPlan {
  /** As it was stored. */
  readonly before: EntityField
  readonly column: Column
}

async function planRenamed(kept: KeptField): Promise<void> {
  const { definition, field, before, planner } = kept
  planner.add({
    kind: 'renameColumn',
    field: field.name,
    description: `Rename the column "${before.name}" to "${field.name}".`,
    changes: [{ kind: 'renameColumn', table: definition.name, column: before.name, to: field.name }],
    rows: 'Rows stay as they are.',
  })
  await planKept(kept)
}

async function planKept(kept: KeptField): Promise<void> {
  await planNullable(kept, await planType(kept))
  await planUnique(kept)
  await planReference(kept)
  await planEnum(kept)
}

type TypeChange = 'none' | 'changed'

async function planType(kept: KeptField): Promise<TypeChange> {
  const { definition, field, before, column, table, planner, situation } = kept
  const { ddl, survey } = situation
  const from = columnSpecOf(before)
  const to = columnSpecOf(field)
  const refuse = (detail: string) =>
    planner.refuse({ pointer: `${field.pointer}/field_type`, detail, isAllowable: false })
  if (!ddl.hasType(column, from)) {
    if (!ddl.hasType(column, to)) {
      refuse(
        `The column is of type ${column.nativeType}, which no field_type makes. Change it in the database first.`,
      )
    }
    return 'none'
  }
  if (from.type === to.type) {
    if (before.type !== field.type) refuse(cannotBecome(before, field))
    return 'none'
  }
  const name = conversionName(from.type, to.type)
  if (name === undefined) {
    refuse(cannotBecome(before, field))
    return 'none'
  }
  const { isUnfit, isCut } = ddl.conversion(name, situation.quote(column.name))
  const unfit = isUnfit === undefined ? 0 : await survey.meeting(table.name, isUnfit)
  const cut = isCut === undefined ? 0 : await survey.meeting(table.name, isCut)
  if (unfit > 0) refuse(`${rowsText(unfit, 'holds', 'hold')} a value that ${field.type} does not take.`)
  else if (cut > 0) {
    const detail = `${rowsText(cut, 'holds', 'hold')} a value that ${field.type} takes only a part of; the rest would be lost.`
    planner.refuse(destructive(`${field.pointer}/field_type`, detail))
  }
  if (cut > 0 && field.unique) refuse('Values cannot be cut in a unique field: they could become the same.')
  planner.add({
    kind: 'changeType',
    field: field.name,
    description: `Change the type of the column "${field.name}" from ${before.type} to ${field.type}.`,
    changes: [
      ...dropFoundReference(kept),
      {
        kind: 'changeColumn',
        table: definition.name,
        from: { ...from, name: field.name, nullable: column.nullable },
        to,
        // A condition that no row meets now may be met by one that is written meanwhile.
        isLossy: isCut !== undefined,
      },
      ...(field.reference === undefined || referenceOf(table, column.name) === undefined
        ? []
        : [addReference(definition.name, field)]),
    ],
    rows: cut === 0 ? 'Values stay what they are.' : `${rowsText(cut, 'loses', 'lose')} a part of the value.`,
    rowCount: cut,
    isDestructive: cut > 0,
  })
  return 'changed'
}

function cannotBecome(before: EntityField, field: EntityField): string {
  const specTypes = new Set(convertibleTypes(fieldTypes[before.type].column))
  const able = (Object.keys(fieldTypes) as FieldTypeName[]).filter((name) =>
    specTypes.has(fieldTypes[name].column),
  )
  const types = able.length === 0 ? '' : ` ${before.type} can become ${able.join(', ')}.`
  return `This is ${before.type} now and cannot become ${field.type}.${types} Keep it, and add a field with another name.`
}

async function planNullable(kept: KeptField, typeChange: TypeChange): Promise<void> {
  const { definition, field, column, table, planner, situation } = kept
  if (column.nullable === field.nullable) return
  const spec: ColumnSpec = { ...columnSpecOf(kept.before), name: field.name }
  // A change of the type says it with it.
  const changes = (fill: string | number | null): readonly TableChange[] => {
    if (typeChange !== 'none') return []
    const from = { ...spec, nullable: column.nullable }
    const to = { ...spec, nullable: field.nullable, ...(fill === null ? {} : { fill }) }
    return [{ kind: 'changeColumn', table: definition.name, from, to, isLossy: false }]
  }
  if (field.nullable) {
    return planner.add({
      kind: 'allowNull',
      field: field.name,
      description: `Let the column "${field.name}" be null.`,
      changes: changes(null),
      rows: 'Rows stay as they are.',
    })
  }
  const nulls = await situation.survey.withoutValue(table.name, column.name)
  const fill = nulls === 0 ? null : fillOf(field, situation)
  const pointer = `${field.pointer}/field_nullable`
  if (nulls > 0 && typeChange !== 'none') {
    const detail = `${rowsText(nulls, 'has', 'have')} no value here. Change the type and forbid null in two uploads.`
    planner.refuse({ pointer, detail, isAllowable: false })
  } else if (nulls > 0 && (fill === null || field.reference !== undefined || (field.unique && nulls > 1))) {
    const reason =
      field.reference !== undefined
        ? 'no one record is known that they could refer to'
        : fill === null
          ? 'there is no field_default that they could get'
          : 'the field_default would be the same for all of them in a unique field'
    const detail = `${rowsText(nulls, 'has', 'have')} no value here, and ${reason}.`
    planner.refuse({ pointer, detail, isAllowable: false })
  } else if (nulls > 0) {
    const detail = `${rowsText(nulls, 'has', 'have')} no value here and would get ${JSON.stringify(fill)}.`
    planner.refuse(destructive(pointer, detail))
  }
  planner.add({
    kind: 'forbidNull',
    field: field.name,
    description: `Let the column "${field.name}" be null no more.`,
    changes: changes(fill),
    rows:
      nulls === 0
        ? 'No row is without a value.'
        : `${rowsText(nulls, 'gets', 'get')} ${JSON.stringify(fill)}.`,
    rowCount: nulls,
    isDestructive: nulls > 0,
  })
}

async function planUnique({
  definition,
  field,
  column,
  table,
  planner,
  situation,
}: KeptField): Promise<void> {
  const isNow = isUnique(table, column.name)
  if (isNow === field.unique) return
  const columns = [field.name]
  if (!field.unique) {
    return planner.add({
      kind: 'dropUnique',
      field: field.name,
      description: `Let several rows have the same value in "${field.name}".`,
      changes: [{ kind: 'dropUnique', table: definition.name, columns }],
      rows: 'Rows stay as they are.',
    })
  }
  const repeating = await situation.survey.repeating(table.name, column.name)
  if (repeating > 0) {
    const detail = `${rowsText(repeating, 'shares', 'share')} a value with another row. Make the values different first.`
    const key = field.kind === 'identifier' ? 'field_name' : 'field_unique'
    planner.refuse({ pointer: `${field.pointer}/${key}`, detail, isAllowable: false })
  }
  planner.add({
    kind: 'addUnique',
    field: field.name,
    description: `Keep the values of the column "${field.name}" different.`,
    changes: [{ kind: 'addUnique', table: definition.name, columns }],
    rows: 'No two rows share a value.',
    rowCount: repeating,
  })
}

async function planReference(kept: KeptField): Promise<void> {
  const { definition, field, column, table, planner, situation } = kept
  const found = referenceOf(table, column.name)
  const { reference } = field
  if (found !== undefined) {
    const now = situation.renames.after(found)
    if (reference !== undefined && now.entity === reference.entity && now.field === reference.field) return
    planner.add({
      kind: 'dropReference',
      field: field.name,
      description: `Let "${field.name}" refer to ${now.entity}.${now.field} no more.`,
      changes: dropFoundReference(kept),
      rows: 'Rows stay as they are.',
    })
  }
  if (reference === undefined) return
  const target = situation.renames.before(reference)
  const dangling =
    target === undefined
      ? (await situation.survey.rows(table.name)) -
        (await situation.survey.withoutValue(table.name, column.name))
      : await situation.survey.dangling(table.name, column.name, target)
  if (dangling > 0) {
    const detail = `${rowsText(dangling, 'holds', 'hold')} a value that no ${reference.entity} has as its ${reference.field}.`
    planner.refuse({ pointer: `${field.pointer}/ref_class`, detail, isAllowable: false })
  }
  planner.add({
    kind: 'addReference',
    field: field.name,
    description: `Let "${field.name}" refer to ${reference.entity}.${reference.field}.`,
    changes: [addReference(definition.name, field)],
    rows: 'Every value is found there.',
    rowCount: dangling,
  })
}

/** The reference that is there, by the names it has before anything is renamed. */
function dropFoundReference({ table, column }: KeptField): readonly TableChange[] {
  const key = referenceOf(table, column.name)
  if (key === undefined) return []
  return [{ kind: 'dropReference', table: table.name, key, index: [column.name, 'instance'] }]
}

function addReference(table: string, { name, reference }: EntityField): TableChange {
  invariant(reference !== undefined, 'a reference is added for a field that has one')
  return {
    kind: 'addReference',
    table,
    key: { columns: [name], referencedTable: reference.entity, referencedColumns: [reference.field] },
    index: [name, 'instance'],
  }
}

/** A narrower enum changes no row, but rows may hold what cannot be written any more. */
async function planEnum({ field, before, column, table, planner, situation }: KeptField): Promise<void> {
  if (field.enum === undefined || field.type !== before.type) return
  const allowed = encodedEnum(field.enum, field.type)
  const stored = before.enum === undefined ? undefined : [...encodedEnum(before.enum, before.type)]
  if (stored?.every((value) => allowed.has(value))) return
  const others = await situation.survey.otherThan(table.name, column.name, [...allowed])
  if (others === 0) return
  const detail = `${rowsText(others, 'holds', 'hold')} a value that is not in the list; such values could be kept, but not written any more.`
  planner.refuse(destructive(`${field.pointer}/field_enum`, detail))
}

async function planAdded({ definition, field, table, planner, situation }: FieldToPlan): Promise<void> {
  const rows = await situation.survey.rows(table.name)
  const fill = fillOfAdded(field, situation)
  const refusal = rows === 0 ? undefined : refusalOfAdded(field, fill, rows)
  if (refusal !== undefined) planner.refuse({ ...refusal, isAllowable: false })
  const column = { ...columnSpecOf(field), ...(fill === null ? {} : { fill }) }
  planner.add({
    kind: 'addColumn',
    field: field.name,
    description: `Add the column "${field.name}" to the table "${definition.name}".`,
    changes: [
      { kind: 'addColumn', table: definition.name, column },
      ...(field.unique
        ? [{ kind: 'addUnique', table: definition.name, columns: [field.name] } as const]
        : []),
      ...(field.reference === undefined ? [] : [addReference(definition.name, field)]),
    ],
    rows:
      rows === 0
        ? 'There are no rows yet.'
        : `${rowsText(rows, 'gets', 'get')} ${fill === null ? 'null' : JSON.stringify(fill)}.`,
    rowCount: rows,
  })
}

/** A unique or referring column is not filled where it may be null: no one value fits all rows. */
function fillOfAdded(field: EntityField, situation: Situation): string | number | null {
  if (field.nullable && (field.unique || field.reference !== undefined)) return null
  return fillOf(field, situation)
}

function fillOf(field: EntityField, { context }: Situation): string | number | null {
  if (field.default === undefined) return null
  const value = evaluateDefault(field.default, field.type, context)
  if (value === null) return null
  const encoding = fieldTypes[field.type].encode(value)
  invariant(
    'value' in encoding && isFill(encoding.value),
    'a default was checked against its type when it was read',
  )
  return encoding.value
}

function isFill(value: SqlValue): value is string | number {
  return typeof value === 'string' || typeof value === 'number'
}

function refusalOfAdded(field: EntityField, fill: string | number | null, rows: number) {
  if (field.nullable) return undefined
  const at = (key: string, detail: string) => ({ pointer: `${field.pointer}/${key}`, detail })
  if (field.reference !== undefined) {
    return at(
      'field_nullable',
      `A reference that is added to a table with ${rowsText(rows)} must be nullable: no record is known that they could refer to.`,
    )
  }
  if (fill === null) {
    return at(
      'field_nullable',
      `A field that is added to a table with ${rowsText(rows)} and is not nullable needs a field_default, which they get. Give it one, or make it nullable.`,
    )
  }
  return field.unique && rows > 1
    ? at(
        'field_unique',
        `${rowsText(rows)} would get the same value in a unique field. Make it nullable, or not unique.`,
      )
    : undefined
}

async function planDropped({ definition, field, table, planner, situation }: FieldToPlan): Promise<void> {
  const rows = await situation.survey.rows(table.name)
  const held = rows - (await situation.survey.withoutValue(table.name, field.name))
  const key = referenceOf(table, field.name)
  planner.add({
    kind: 'dropColumn',
    field: field.name,
    description: `Drop the column "${field.name}" of the table "${definition.name}".`,
    changes: [
      ...(key === undefined
        ? []
        : [{ kind: 'dropReference', table: table.name, key, index: [field.name, 'instance'] } as const]),
      { kind: 'dropColumn', table: definition.name, column: field.name },
    ],
    rows:
      rows === 0
        ? 'There are no rows.'
        : held === 0
          ? 'No row holds a value in it.'
          : `${rowsText(held, 'loses', 'lose')} a value.`,
    rowCount: held,
    isDestructive: rows > 0,
  })
  if (rows === 0) return
  const wanted = definition.fields.find(({ name }) => name === field.name)
  const list = field.kind === 'reference' ? 'ref_fields' : 'local_fields'
  const pointer = wanted === undefined ? `/attributes/${list}` : `${wanted.pointer}/field_persistence`
  const what = wanted === undefined ? 'is missing here' : 'would lose its column'
  const detail = `The field "${field.name}" ${what}. ${rowsText(held, 'holds', 'hold')} a value in it, which would be lost.`
  planner.refuse(
    destructive(pointer, `${detail} Put it back, or say with renamed_from what it is called now.`, 'drop it'),
  )
}

/** Another field finds the records from now on: what is not found by it cannot be found at all. */
async function planIdentifier({
  definition,
  stored,
  table,
  planner,
  situation,
}: FieldsToPlan): Promise<void> {
  const field = definition.fields.find(({ kind }) => kind === 'identifier')
  if (field === undefined || field.name === stored.identifier) return
  if (field.renamedFrom === stored.identifier) return
  const pointer = '/attributes/identifier/field_name'
  const rows = await situation.survey.rows(table.name)
  const column = [field.name, field.renamedFrom].find((name) => name !== undefined && table.columns.has(name))
  const missing = column === undefined ? rows : await situation.survey.withoutValue(table.name, column)
  if (missing > 0) {
    const detail = `${rowsText(missing, 'has', 'have')} no value in "${field.name}" and could not be found by it.`
    planner.refuse({ pointer, detail, isAllowable: false })
  } else if (rows > 0) {
    const detail = `Records are found by "${stored.identifier}" now; the addresses of ${rowsText(rows)} would change.`
    planner.refuse(destructive(pointer, detail))
  }
  planner.add({
    kind: 'changeIdentifier',
    field: field.name,
    description: `Find records by "${field.name}" instead of "${stored.identifier}".`,
    changes: [],
    rows:
      rows === 0 ? 'There are no rows.' : `${rowsText(rows, 'gets another address', 'get other addresses')}.`,
    rowCount: rows,
    isDestructive: rows > 0,
  })
}
