/** Lists of records for people. */
import * as v from 'valibot'
import { AdminFailure } from './admin-failure.ts'
import { textTable } from './text-table.ts'

const textOrTexts = v.union([v.string(), v.array(v.string())])
const timestamp = v.nullable(v.string())

const roles = v.array(
  v.object({
    name: v.string(),
    authorities: v.array(
      v.object({
        regex: v.string(),
        methods: v.array(v.string()),
        rows: v.optional(v.unknown()),
        fields: v.optional(v.unknown()),
        set: v.optional(v.unknown()),
      }),
    ),
  }),
)
const accounts = v.array(
  v.object({
    username: v.string(),
    role: textOrTexts,
    expire: timestamp,
    disabled: v.optional(v.boolean()),
    created: v.string(),
  }),
)
const keys = v.array(
  v.object({ name: v.string(), created: v.string(), expires_at: timestamp, last_used: timestamp }),
)
const routes = v.array(
  v.object({
    name: v.string(),
    path: v.string(),
    methods: v.array(v.string()),
    scope: v.string(),
    target: v.optional(textOrTexts),
    rows: v.optional(v.unknown()),
    fields: v.optional(v.unknown()),
    set: v.optional(v.unknown()),
  }),
)
const tokens = v.array(v.object({ username: v.string(), created: v.string(), expire: v.string() }))
const entities = v.array(
  v.object({
    name: v.string(),
    resource: v.nullable(v.string()),
    changed_by: v.string(),
    changed_at: v.string(),
  }),
)
const versions = v.array(
  v.object({
    version: v.number(),
    action: v.string(),
    changed_by: v.string(),
    changed_at: v.string(),
    summary: v.array(v.string()),
  }),
)
const names = v.array(v.object({ kind: v.string(), of: v.string(), name: v.string(), by: v.string() }))
const audit = v.array(
  v.object({
    at: v.string(),
    account: v.nullable(v.string()),
    address: v.string(),
    action: v.string(),
    record: v.string(),
    name: v.string(),
    detail: v.string(),
  }),
)

/** One line for each authority; the names of conditions only if there are any. */
function roleTable(document: unknown) {
  const lines = read(roles, document).flatMap(({ name, authorities }) =>
    authorities.length === 0
      ? [[name, '-', '-', '-']]
      : authorities.map(({ regex, methods, ...conditions }, index) => [
          index === 0 ? name : '',
          methods.join(','),
          regex,
          Object.keys(conditions).join(',') || '-',
        ]),
  )
  return tableWithConditions(['NAME', 'METHODS', 'PATHS'], lines, 'There are no roles.')
}

function routeTable(document: unknown) {
  const lines = read(routes, document).map(({ name, scope, methods, path, target, ...conditions }) => [
    name,
    scope,
    methods.join(','),
    path,
    target === undefined ? '-' : listed(target),
    Object.keys(conditions).join(',') || '-',
  ])
  return tableWithConditions(['NAME', 'SCOPE', 'METHODS', 'PATH', 'TARGET'], lines, 'There are no routes.')
}

/** Conditions are in the last column, which is shown only if there are any. */
function tableWithConditions(
  columns: readonly string[],
  lines: readonly (readonly string[])[],
  empty: string,
): string {
  const hasConditions = lines.some((line) => line.at(-1) !== '-')
  const shown = hasConditions ? [...columns, 'CONDITIONS'] : columns
  return textTable(
    shown,
    lines.map((line) => line.slice(0, shown.length)),
    empty,
  )
}

/** Each takes the document of the management API that lists the records. */
export const recordTables = {
  role: roleTable,
  account: (document: unknown) =>
    textTable(
      ['USERNAME', 'ROLES', 'EXPIRES', 'CREATED'],
      read(accounts, document).map(({ username, role, expire, disabled, created }) => [
        username,
        listed(role),
        disabled ? 'disabled' : (expire ?? 'never'),
        created,
      ]),
      'There are no accounts.',
    ),
  key: (document: unknown) =>
    textTable(
      ['NAME', 'CREATED', 'EXPIRES', 'LAST USED'],
      read(keys, document).map(({ name, created, expires_at, last_used }) => [
        name,
        created,
        expires_at ?? 'never',
        last_used ?? 'never',
      ]),
      'The account has no API key: no one can log on with it.',
    ),
  route: routeTable,
  token: (document: unknown) =>
    textTable(
      ['USERNAME', 'CREATED', 'EXPIRES'],
      read(tokens, document).map(({ username, created, expire }) => [username, created, expire]),
      'There are no tokens.',
    ),
  entity: (document: unknown) =>
    textTable(
      ['NAME', 'API', 'CHANGED BY', 'CHANGED AT'],
      read(entities, document).map(({ name, resource, changed_by, changed_at }) => [
        name,
        resource ?? '-',
        changed_by,
        changed_at,
      ]),
      'There are no entities.',
    ),
  version: (document: unknown) =>
    textTable(
      ['VERSION', 'ACTION', 'CHANGED BY', 'CHANGED AT', 'WHAT'],
      read(versions, document).map(({ version, action, changed_by, changed_at, summary }) => [
        String(version),
        action,
        changed_by,
        changed_at,
        summary.join('; '),
      ]),
      'There are no versions.',
    ),
  name: (document: unknown) =>
    textTable(
      ['KIND', 'OF', 'NAME', 'BY'],
      read(names, document).map(({ kind, of, name, by }) => [kind, of, name, by]),
      'There are no names.',
    ),
  audit: (document: unknown) =>
    textTable(
      ['AT', 'ACCOUNT', 'ADDRESS', 'ACTION', 'RECORD', 'NAME', 'DETAIL'],
      read(audit, document).map(({ at, account, address, action, record, name, detail }) => [
        at,
        account ?? '-',
        address || '-',
        action,
        record,
        name || '-',
        detail,
      ]),
      'Nothing was changed.',
    ),
} as const

function listed(names: string | readonly string[]): string {
  return typeof names === 'string' ? names : names.join(', ')
}

/** The document in the form that this version of the program knows. */
function read<Schema extends v.GenericSchema>(schema: Schema, document: unknown): v.InferOutput<Schema> {
  const reading = v.safeParse(schema, document)
  if (reading.success) return reading.output
  throw new AdminFailure([
    'The gateway responded in a form that this program does not know: it may have another version. --output json shows the response.',
  ])
}
