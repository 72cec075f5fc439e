/**
 * Databases that differ only in what some accounts cannot see: the rows and the values that their roles hide, how many
 * there are, in which order they were stored, and, in one of them, whether the hidden fields and entities exist at all.
 */
import type { DatabaseOptions } from '../../../src/database/open-database.ts'
import type { TestProduct } from '../products.ts'
import { runStatements } from '../run-statements.ts'
import { definition, field, type Json, reference } from '../temporary-entities.ts'
import { createAccount, logonAs } from '../test-accounts.ts'
import { startTestGateway } from '../test-gateway.ts'
import type { ComparedWorld } from './compare-worlds.ts'

/** What a world has besides what is seen. */
export interface HiddenPart {
  readonly name: string
  /** The numbers of the hidden records, in the order in which they are stored. */
  readonly records: readonly number[]
  /** Whether hidden records are stored before those that are seen. */
  readonly isFirst: boolean
  /** The value that a field hides, on the record with this number. */
  value(record: number): number | null
  /** Whether there are the fields and entities that no account here is given. */
  readonly hasUnseenParts: boolean
}

/** The worlds; no account here can tell one from another. */
export const hiddenParts: readonly HiddenPart[] = [
  {
    name: 'many hidden records',
    records: Array.from({ length: 40 }, (_, index) => index),
    isFirst: false,
    value: (record) => (record * 7) % 11,
    hasUnseenParts: true,
  },
  {
    name: 'others, stored first',
    records: [31, 5, 2, 17, 0],
    isFirst: true,
    value: (record) => (record % 3 === 0 ? null : 100 - record),
    hasUnseenParts: true,
  },
  {
    name: 'none at all',
    records: [],
    isFirst: false,
    value: () => null,
    hasUnseenParts: false,
  },
]

/** The accounts of a world: one that sees some of the rows, and one that sees some of the fields on some of them. */
export const accountNames = ['rows', 'cells'] as const
type AccountName = (typeof accountNames)[number]

/** A gateway on one of the databases. */
export interface HiddenWorld extends ComparedWorld {
  readonly part: HiddenPart
  readonly options: DatabaseOptions
  readonly tokens: Readonly<Record<AccountName, string>>
  close(): Promise<void>
}

/** The numbers of the records of each entity of which the accounts see something. */
export const seenRecords = [1, 2, 3, 4, 5, 6, 7, 8]

/** The identifier of a hidden record, whose key is between those of records that are seen. */
export function hiddenId(prefix: string, number: number): string {
  return `${prefix}${(number % seenRecords.length) + 1}-${number}`
}

const flag = (is: boolean) => (is ? 1 : 0)

function definitionsOf({ hasUnseenParts }: HiddenPart): readonly Json[] {
  const unseen = (...fields: readonly Json[]) => (hasUnseenParts ? fields : [])
  const tenant = definition('Tenant', {
    local: [field('name', 'string', { field_nullable: false }), ...unseen(field('budget', 'integer'))],
  })
  const port = definition('Port', {
    local: [
      field('name', 'string', { field_nullable: false }),
      field('kind', 'string', { field_nullable: false }),
      field('secret', 'string'),
      field('speed', 'integer'),
      field('rate', 'decimal'),
      field('since', 'Date'),
      field('active', 'boolean'),
      field('data', 'object'),
      field('code', 'string', { field_unique: true }),
      ...unseen(
        field('serial', 'string', { field_unique: true }),
        field('quota', 'integer'),
        field('limits', 'object'),
        field('enabled', 'boolean'),
      ),
    ],
    refs: [reference('tenantId', 'Tenant'), reference('parentId', 'Port')],
  })
  const note = definition('Note', {
    local: [field('text', 'string'), field('weight', 'integer')],
    refs: [reference('portId', 'Port')],
  })
  const vault = definition('Vault', {
    local: [field('content', 'string')],
    refs: [reference('noteId', 'Note')],
  })
  return [tenant, port, note, ...unseen(vault)]
}

/** The key of a row, which is the same in every world that has it. */
export function instanceOf(entity: string, id: string): string {
  return `${entity.toLowerCase()}-${id}`
}

type Value = string | number | null

function insertOf(table: string, values: Readonly<Record<string, Value>>): string {
  const names = Object.keys(values).map((name) => `\`${name}\``)
  const texts = Object.values(values).map((value) =>
    typeof value === 'string' ? `'${value}'` : String(value),
  )
  return `insert into \`${table}\` (${names.join(', ')}) values (${texts.join(', ')})`
}

function recordOf(entity: string, id: string, values: Readonly<Record<string, Value>>): string {
  const origin = { xid: 'x', xname: 'n' }
  return insertOf(entity, { instance: instanceOf(entity, id), ...origin, id, ...values })
}

/** The fields of a port that `cells` is given only where the kind is open. */
const maskedFields = ['secret', 'speed', 'rate', 'since', 'active', 'data', 'code']

function hiddenValues(number: number | null): Readonly<Record<string, Value>> {
  if (number === null) return Object.fromEntries(maskedFields.map((name) => [name, null]))
  return {
    secret: `secret ${number}`,
    speed: number,
    rate: `${number}.25`,
    since: `2026-03-${String((number % 28) + 1).padStart(2, '0')}`,
    active: flag(number % 2 === 0),
    data: `{"a":${number}}`,
    code: `hidden ${number}`,
  }
}

/** What is seen of a port by `rows`, and by `cells` where its kind is open. */
function seenValues(number: number): Readonly<Record<string, Value>> {
  return {
    secret: `own ${number % 3}`,
    speed: number % 4,
    rate: `${number}.5`,
    since: `2026-01-0${number}`,
    active: flag(number % 2 === 0),
    data: `{"a":${number % 2}}`,
    code: `own ${number}`,
  }
}

/** A port of the seen tenant that is not open: `rows` does not see it, `cells` sees some of its fields. */
const isClosed = (number: number) => number % 2 === 0

function statementsOf(part: HiddenPart): readonly string[] {
  const { hasUnseenParts, records } = part
  const unseen = (values: Readonly<Record<string, Value>>) => (hasUnseenParts ? values : {})
  // What seen records refer to is there in every world.
  const referred = [
    recordOf('Tenant', 'a', { name: 'Tenant a', ...unseen({ budget: part.value(1) }) }),
    recordOf('Tenant', 'b', {
      name: `Tenant ${part.value(2) ?? 'b'}`,
      ...unseen({ budget: part.value(2) }),
    }),
    recordOf('Port', 'far', {
      name: `far ${part.value(3)}`,
      kind: 'open',
      tenantId: 'b',
      ...hiddenValues(part.value(3)),
      code: null,
    }),
  ]
  const seen = seenRecords.flatMap((number) => [
    recordOf('Port', `p${number}`, {
      name: `port ${number % 5}`,
      kind: isClosed(number) ? 'closed' : 'open',
      ...(isClosed(number) ? hiddenValues(shifted(part.value(number))) : seenValues(number)),
      ...unseen({ serial: `serial ${part.value(number)} ${number}` }),
      tenantId: 'a',
      parentId: number === 3 ? 'far' : number > 4 ? `p${number - 4}` : null,
    }),
    recordOf('Note', `n${number}`, {
      text: number % 3 === 0 ? `hidden ${part.value(number)}` : `note ${number % 3}`,
      weight: number % 3 === 0 ? -(part.value(number) ?? 5) : number % 3,
      portId: `p${isClosed(number) ? number - 1 : number}`,
    }),
    insertOf('shelf', {
      row_no: number,
      place: 'x',
      label: isClosed(number) ? `hidden ${part.value(number)}` : `label ${number % 3}`,
      owner: 'a',
      weight: isClosed(number) ? part.value(number) : number % 2,
    }),
  ])
  const hidden = records.flatMap((number) => [
    recordOf('Tenant', hiddenId('t', number), { name: `Tenant ${number}` }),
    recordOf('Port', hiddenId('p', number), {
      name: `port ${number % 5}`,
      kind: number % 2 === 0 ? 'open' : 'closed',
      ...hiddenValues(number),
      code: `hidden port ${number}`,
      tenantId: number % 2 === 0 ? 'b' : hiddenId('t', number),
      parentId: `p${(number % 8) + 1}`,
    }),
    recordOf('Note', hiddenId('n', number), {
      text: `note ${number % 3}`,
      weight: number,
      portId: hiddenId('p', number),
    }),
    insertOf('shelf', {
      row_no: number % 9,
      place: `h${number}`,
      label: `label ${number % 3}`,
      owner: 'b',
      weight: number,
    }),
    ...(hasUnseenParts
      ? [recordOf('Vault', `v${number}`, { content: 'x', noteId: hiddenId('n', number) })]
      : []),
  ])
  return part.isFirst ? [...referred, ...interleaved(hidden, seen)] : [...referred, ...seen, ...hidden]
}

/** Values of several records that must not be the same. */
function shifted(number: number | null): number | null {
  return number === null ? null : number + 200
}

/** Hidden rows before those that are seen, unless they refer to one of these. */
function interleaved(hidden: readonly string[], seen: readonly string[]): readonly string[] {
  const isHiddenPort = (statement: string) => statement.includes('insert into `Port`')
  const first = hidden.filter((statement) => statement.includes('insert into `Tenant`'))
  const shelves = hidden.filter((statement) => statement.includes('insert into `shelf`'))
  const rest = hidden.filter((statement) => !first.includes(statement) && !shelves.includes(statement))
  const ports = rest.filter(isHiddenPort)
  const others = rest.filter((statement) => !isHiddenPort(statement))
  return [...first, ...shelves, ...seen, ...ports, ...others]
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
const ofTenant = { key: 'tenantId', op: '==', val: { account: 'metadata.tenant' } }
const isOpen = { key: 'kind', op: '==', val: 'open' }
const givenFields = ['id', 'name', 'kind', 'tenantId', 'parentId']
const own = { regex: '/openapi.json|/whoami.*', methods: ['GET', 'POST'] }
const ports = { regex: '/apis/ports(/.*)?|/graphql/Port', methods }
const notes = { regex: '/apis/notes(/.*)?|/graphql/Note', methods }
const tenants = {
  regex: '/apis/tenants(/.*)?|/graphql/Tenant',
  methods,
  rows: [{ key: 'id', op: '==', val: { account: 'metadata.tenant' } }],
  fields: { read: ['id', 'name', 'instance'] },
}
const shelves = { regex: '/graphql/shelf', methods: ['POST'] }
const ofOwner = { key: 'owner', op: '==', val: { account: 'metadata.tenant' } }

/** What the roles of the accounts say. */
const authorities: Readonly<Record<AccountName, readonly object[]>> = {
  rows: [
    own,
    tenants,
    {
      ...ports,
      rows: [ofTenant, isOpen],
      fields: { read: ['instance', ...givenFields, ...maskedFields] },
    },
    {
      ...notes,
      rows: [
        { key: 'port.tenantId', op: '==', val: { account: 'metadata.tenant' } },
        { key: 'port.kind', op: '==', val: 'open' },
        { key: 'weight', op: '>', val: 0 },
      ],
    },
    { ...shelves, rows: [ofOwner, { key: 'label', op: 'starts', val: 'label' }] },
  ],
  cells: [
    own,
    tenants,
    {
      ...ports,
      rows: [ofTenant],
      // Who could change the kind would see the rest.
      fields: { read: ['instance', ...givenFields], write: ['id', 'name', 'parentId'] },
    },
    {
      ...ports,
      rows: [ofTenant, isOpen],
      fields: { read: ['instance', ...givenFields, ...maskedFields] },
      set: { active: true },
    },
    {
      ...notes,
      rows: [{ key: 'port.tenantId', op: '==', val: { account: 'metadata.tenant' } }],
      fields: { read: ['instance', 'id', 'portId'], write: ['portId'] },
    },
    {
      ...notes,
      rows: [
        { key: 'port.tenantId', op: '==', val: { account: 'metadata.tenant' } },
        { key: 'weight', op: '>', val: 0 },
      ],
    },
    { ...shelves, rows: [ofOwner], fields: { read: ['row_no', 'place', 'owner'] } },
    { ...shelves, rows: [ofOwner, { key: 'label', op: 'starts', val: 'label' }] },
  ],
}

const textType: Readonly<Record<DatabaseOptions['product'], string>> = {
  sqlite: 'text',
  postgresql: 'varchar(40)',
  mysql: 'varchar(40)',
}

/** When everything happens, so that times of tokens are the same. */
const timeOfWorlds = '2026-11-21T06:00:00.000Z'

/** Starts a gateway on the database with this hidden part. */
export async function startHiddenWorld(product: TestProduct, part: HiddenPart): Promise<HiddenWorld> {
  const created = await product.createDatabase({ withStore: true })
  const { options } = created
  const now = () => new Date(timeOfWorlds)
  const gateway = await startTestGateway({ createDatabase: async () => created }, undefined, { now })
  must(await gateway.request('POST', '/manage/entities', { body: definitionsOf(part) }), 201)
  const text = textType[options.product]
  await runStatements(options, [
    `create table shelf (row_no integer not null, place ${text} not null, label ${text}, owner ${text}, weight integer, primary key (row_no, place))`,
    'create index shelf_label on shelf (label)',
    ...statementsOf(part),
  ])
  must(await gateway.request('POST', '/manage/schema/reload'))
  const tokens: Partial<Record<AccountName, string>> = {}
  const ids: string[] = []
  for (const name of accountNames) {
    const account = await createAccount(gateway, name, authorities[name], { metadata: { tenant: 'a' } })
    const token = await logonAs(gateway, account)
    const { body } = await gateway.request('GET', '/whoami', { token })
    tokens[name] = token
    ids.push((body as { id: string }).id)
  }
  return {
    part,
    gateway,
    options,
    tokens: tokens as Record<AccountName, string>,
    ids,
    close: () => gateway.close(),
  }
}

function must({ status, body }: { readonly status: number; readonly body: unknown }, wanted = 200): void {
  if (status !== wanted) throw new Error(`${status} ${JSON.stringify(body)}`)
}
