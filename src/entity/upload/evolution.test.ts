/** Every way in which a definition can change, with rows before and after, on every product. */
import { describe, expect, test } from 'vitest'
import { shareOf } from '../../../test/support/part-of.ts'
import { products } from '../../../test/support/products.ts'
import { type PlainRow, putRows, rowsOf } from '../../../test/support/table-rows.ts'
import {
  definition,
  field,
  type Json,
  reference,
  refusalOf,
  temporaryEntities,
} from '../../../test/support/temporary-entities.ts'
import { readStoredEntities } from '../definition/stored-definition.ts'
import type { StepKind } from '../plan/change-plan.ts'
import { driftOf } from '../plan/drift.ts'

type Rows = Readonly<Record<string, readonly PlainRow[]>>

interface Evolution {
  readonly title: string
  readonly before: readonly Json[]
  readonly rows: Rows
  readonly after: readonly Json[]
  /** Of all entities of the upload. */
  readonly kinds: readonly StepKind[]
  /** What keeps it from being carried out without the flag, by pointer. */
  readonly refused?: Readonly<Record<string, RegExp>>
  /** Absent where the flag does not help either. */
  readonly expected?: Rows
}

const port = (...local: readonly Json[]) => [definition('Port', { local })]
const tenant = definition('Tenant', { local: [field('code', 'string', { field_unique: true })] })
const tenants = [
  { id: 't1', code: 'a' },
  { id: 't2', code: 'b' },
]
const required = { field_nullable: false }
const unique = { field_unique: true }
const first = '/0/attributes/local_fields/0'
const two = [
  { id: 'p1', name: 'x' },
  { id: 'p2', name: 'y' },
]
const long = 'é'.repeat(300)

const evolutions: readonly Evolution[] = [
  {
    title: 'a new entity',
    before: [],
    rows: {},
    after: [tenant],
    kinds: ['createTable'],
    expected: { Tenant: [] },
  },
  {
    title: 'new entities in a circle, and one that refers to itself',
    before: [],
    rows: {},
    after: [
      definition('A', { refs: [reference('bId', 'B')] }),
      definition('B', { refs: [reference('aId', 'A'), reference('parentId', 'B')] }),
    ],
    kinds: ['createTable', 'createTable'],
    expected: { A: [], B: [] },
  },
  {
    title: 'a new field',
    before: port(field('name', 'string')),
    rows: { Port: two },
    after: port(field('name', 'string'), field('size', 'integer')),
    kinds: ['addColumn'],
    expected: { Port: two },
  },
  {
    title: 'a new field with a default',
    before: port(field('name', 'string')),
    rows: { Port: two },
    after: port(field('name', 'string'), field('note', 'text', { field_default: '"it\'s \\\\ ; --"' })),
    kinds: ['addColumn'],
    expected: { Port: two.map((row) => ({ ...row, note: "it's \\ ; --" })) },
  },
  {
    title: 'a new field that is not nullable',
    before: port(field('name', 'string')),
    rows: { Port: two },
    after: port(
      field('name', 'string'),
      field('amount', 'decimal', { field_default: '"12.50"', ...required }),
      field('open', 'boolean', { field_default: 'true', ...required }),
      field('since', 'DateTime', { field_default: 'utcnow()', ...required }),
      field('list', 'array', { field_default: '[]', ...required }),
    ),
    kinds: ['addColumn', 'addColumn', 'addColumn', 'addColumn'],
    expected: {
      Port: two.map((row) => ({ ...row, amount: '12.5', open: 1, since: '2026-11-21 06:00:00', list: '[]' })),
    },
  },
  {
    title: 'a new field that is not nullable, without a default',
    before: port(),
    rows: { Port: [{ id: 'p1' }, { id: 'p2' }] },
    after: port(field('name', 'string', required)),
    kinds: ['addColumn'],
    refused: { [`${first}/field_nullable`]: /with 2 rows and is not nullable needs a field_default/ },
  },
  {
    title: 'a new field that is not nullable, in a table without rows',
    before: port(),
    rows: {},
    after: port(field('name', 'string', required)),
    kinds: ['addColumn'],
    expected: { Port: [] },
  },
  {
    title: 'a new unique field',
    before: port(),
    rows: { Port: [{ id: 'p1' }, { id: 'p2' }] },
    after: port(field('serial', 'string', { ...unique, field_default: 'uuid()' })),
    kinds: ['addColumn'],
    expected: { Port: [{ id: 'p1' }, { id: 'p2' }] },
  },
  {
    title: 'a new unique field that all rows would have the same in',
    before: port(),
    rows: { Port: [{ id: 'p1' }, { id: 'p2' }] },
    after: port(field('serial', 'string', { ...unique, ...required, field_default: "'x'" })),
    kinds: ['addColumn'],
    refused: { [`${first}/field_unique`]: /2 rows would get the same value/ },
  },
  {
    title: 'a new reference, to an entity that is new as well',
    before: port(),
    rows: { Port: [{ id: 'p1' }] },
    after: [definition('Port', { refs: [reference('tenantId', 'Tenant')] }), tenant],
    kinds: ['createTable', 'addColumn'],
    expected: { Port: [{ id: 'p1' }], Tenant: [] },
  },
  {
    title: 'a new reference that is not nullable',
    before: [tenant, ...port()],
    rows: { Tenant: tenants, Port: [{ id: 'p1' }] },
    after: [definition('Port', { refs: [reference('tenantId', 'Tenant', 'id', required)] })],
    kinds: ['addColumn'],
    refused: { '/0/attributes/ref_fields/0/field_nullable': /with 1 row must be nullable/ },
  },
  {
    title: 'a field that is dropped',
    before: port(field('name', 'string'), field('size', 'integer', unique)),
    rows: {
      Port: [
        { id: 'p1', name: 'x', size: 1 },
        { id: 'p2', name: 'y' },
      ],
    },
    after: port(field('name', 'string')),
    kinds: ['dropColumn'],
    refused: { '/0/attributes/local_fields': /"size" is missing here. 1 row holds a value/ },
    expected: { Port: two },
  },
  {
    title: 'a field that is dropped from a table without rows',
    before: port(field('name', 'string')),
    rows: {},
    after: port(),
    kinds: ['dropColumn'],
    expected: { Port: [] },
  },
  {
    title: 'a field that loses its column',
    before: port(field('name', 'string')),
    rows: { Port: two },
    after: port(field('name', 'string', { field_persistence: false })),
    kinds: ['dropColumn'],
    refused: { [`${first}/field_persistence`]: /"name" would lose its column. 2 rows hold a value/ },
    expected: { Port: [{ id: 'p1' }, { id: 'p2' }] },
  },
  {
    title: 'a field that gets a column',
    before: port(field('name', 'string', { field_persistence: false })),
    rows: { Port: [{ id: 'p1' }] },
    after: port(field('name', 'string')),
    kinds: ['addColumn'],
    expected: { Port: [{ id: 'p1' }] },
  },
  {
    title: 'a reference that is dropped',
    before: [tenant, definition('Port', { refs: [reference('tenantId', 'Tenant')] })],
    rows: { Tenant: tenants, Port: [{ id: 'p1', tenantId: 't1' }] },
    after: port(),
    kinds: ['dropColumn'],
    refused: { '/0/attributes/ref_fields': /1 row holds a value/ },
    expected: { Port: [{ id: 'p1' }] },
  },
  {
    title: 'a field that is renamed',
    before: port(field('name', 'string', { ...required, ...unique }), field('size', 'integer')),
    rows: { Port: two.map((row, index) => ({ ...row, size: index })) },
    after: port(
      field('label', 'string', { ...required, ...unique, renamed_from: 'name' }),
      field('size', 'integer'),
    ),
    kinds: ['renameColumn'],
    expected: { Port: two.map(({ id, name }, size) => ({ id, label: name ?? null, size })) },
  },
  {
    title: 'a field that is renamed and changed, and another one that takes its name',
    before: port(field('name', 'string', unique)),
    rows: { Port: two },
    after: port(
      field('label', 'text', { ...required, renamed_from: 'name' }),
      field('name', 'string', { ...unique }),
    ),
    kinds: ['addColumn'],
    refused: {
      [`${first}/renamed_from`]: /"name" is still in the definition/,
      [`${first}/field_nullable`]: /needs a field_default/,
    },
  },
  {
    title: 'a field that is renamed and changed',
    before: port(field('name', 'string', unique)),
    rows: { Port: two },
    after: port(field('label', 'text', { ...required, renamed_from: 'name' })),
    kinds: ['renameColumn', 'changeType', 'forbidNull', 'dropUnique'],
    expected: { Port: two.map(({ id, name }) => ({ id, label: name ?? null })) },
  },
  {
    title: 'a field that is renamed and cut',
    before: port(field('name', 'text'), field('size', 'decimal')),
    rows: { Port: [{ id: 'p1', name: 'x'.repeat(300), size: '1.5' }] },
    after: port(
      field('label', 'string', { renamed_from: 'name' }),
      field('width', 'integer', { renamed_from: 'size' }),
    ),
    kinds: ['renameColumn', 'changeType', 'renameColumn', 'changeType'],
    refused: {
      [`${first}/field_type`]: /1 row holds a value that string takes only a part of/,
      '/0/attributes/local_fields/1/field_type': /1 row holds a value that integer takes only a part of/,
    },
    expected: { Port: [{ id: 'p1', label: 'x'.repeat(255), width: 1 }] },
  },
  {
    title: 'an identifier that is renamed and gets another type, with what refers to it',
    before: [
      definition('Tenant', { identifier: { field_type: 'integer' }, local: [field('code', 'string')] }),
      definition('Port', { refs: [{ ...reference('tenantId', 'Tenant'), field_type: 'integer' }] }),
    ],
    rows: { Tenant: [{ id: 1, code: 'a' }], Port: [{ id: 'p1', tenantId: 1 }] },
    after: [
      definition('Tenant', {
        identifier: { field_name: 'key', renamed_from: 'id' },
        local: [field('note', 'text', { renamed_from: 'code' })],
      }),
      definition('Port', { refs: [reference('ownerId', 'Tenant', 'key', { renamed_from: 'tenantId' })] }),
    ],
    kinds: ['renameColumn', 'changeType', 'renameColumn', 'changeType', 'renameColumn', 'changeType'],
    expected: { Tenant: [{ key: '1', note: 'a' }], Port: [{ id: 'p1', ownerId: '1' }] },
  },
  {
    title: 'an identifier that is renamed, with what refers to it',
    before: [tenant, definition('Port', { refs: [reference('tenantId', 'Tenant')] })],
    rows: { Tenant: tenants, Port: [{ id: 'p1', tenantId: 't1' }] },
    after: [
      definition('Tenant', {
        identifier: { field_name: 'key', renamed_from: 'id' },
        local: [field('code', 'string', unique)],
      }),
      definition('Port', { refs: [reference('ownerId', 'Tenant', 'key', { renamed_from: 'tenantId' })] }),
    ],
    kinds: ['renameColumn', 'renameColumn'],
    expected: {
      Tenant: tenants.map(({ id, code }) => ({ key: id, code })),
      Port: [{ id: 'p1', ownerId: 't1' }],
    },
  },
  {
    title: 'an entity that is renamed, with what refers to it and to itself',
    before: [
      definition('Tenant', { refs: [reference('parentId', 'Tenant')] }),
      definition('Port', { refs: [reference('tenantId', 'Tenant')] }),
    ],
    rows: { Tenant: [{ id: 't1', parentId: 't1' }], Port: [{ id: 'p1', tenantId: 't1' }] },
    after: [
      definition('Client', { refs: [reference('parentId', 'Client')], top: { renamed_from: 'Tenant' } }),
      definition('Port', { refs: [reference('tenantId', 'Client')] }),
    ],
    kinds: ['renameTable', 'changeRules'],
    expected: { Client: [{ id: 't1', parentId: 't1' }], Port: [{ id: 'p1', tenantId: 't1' }] },
  },
  {
    title: 'a field that may be null',
    before: port(field('name', 'string', required)),
    rows: { Port: two },
    after: port(field('name', 'string')),
    kinds: ['allowNull'],
    expected: { Port: two },
  },
  {
    title: 'a field that may be null no more',
    before: port(field('name', 'string')),
    rows: { Port: two },
    after: port(field('name', 'string', required)),
    kinds: ['forbidNull'],
    expected: { Port: two },
  },
  {
    title: 'a field that may be null no more, with rows that have a default to get',
    before: port(field('name', 'string')),
    rows: { Port: [...two, { id: 'p3' }] },
    after: port(field('name', 'string', { ...required, field_default: "'none'" })),
    kinds: ['forbidNull'],
    refused: { [`${first}/field_nullable`]: /1 row has no value here and would get "none"/ },
    expected: { Port: [...two, { id: 'p3', name: 'none' }] },
  },
  {
    title: 'a field that may be null no more, with rows that have nothing to get',
    before: port(field('name', 'string')),
    rows: { Port: [...two, { id: 'p3' }, { id: 'p4' }] },
    after: port(field('name', 'string', required)),
    kinds: ['forbidNull'],
    refused: { [`${first}/field_nullable`]: /2 rows have no value here, and there is no field_default/ },
  },
  {
    title: 'a field that becomes unique',
    before: port(field('name', 'string')),
    rows: { Port: [...two, { id: 'p3' }, { id: 'p4' }] },
    after: port(field('name', 'string', unique)),
    kinds: ['addUnique'],
    expected: { Port: [...two, { id: 'p3' }, { id: 'p4' }] },
  },
  {
    title: 'a field that would become unique, with rows that share values',
    before: port(field('name', 'string')),
    rows: { Port: [...two, { id: 'p3', name: 'x' }] },
    after: port(field('name', 'string', unique)),
    kinds: ['addUnique'],
    refused: { [`${first}/field_unique`]: /2 rows share a value with another row/ },
  },
  {
    title: 'a field that is unique no more',
    before: port(field('name', 'string', unique), field('size', 'integer', unique)),
    rows: { Port: two },
    after: port(field('name', 'string'), field('size', 'integer', unique)),
    kinds: ['dropUnique'],
    expected: { Port: two },
  },
  {
    title: 'a string that becomes a text, and an integer that becomes a decimal, a float and a string',
    before: port(
      field('name', 'string'),
      field('a', 'integer'),
      field('b', 'integer'),
      field('c', 'integer'),
      field('d', 'boolean'),
      field('e', 'Date'),
    ),
    rows: { Port: [{ id: 'p1', name: 'x', a: 7, b: -7, c: 12, d: 1, e: '2026-01-31' }, { id: 'p2' }] },
    after: port(
      field('name', 'text'),
      field('a', 'decimal'),
      field('b', 'float'),
      field('c', 'string'),
      field('d', 'integer'),
      field('e', 'DateTime'),
    ),
    kinds: ['changeType', 'changeType', 'changeType', 'changeType', 'changeType', 'changeType'],
    expected: {
      Port: [{ id: 'p1', name: 'x', a: '7', b: -7, c: '12', d: 1, e: '2026-01-31 00:00:00' }, { id: 'p2' }],
    },
  },
  {
    title: 'a text that becomes a string, and fits',
    before: port(field('name', 'text', required)),
    rows: { Port: two },
    after: port(field('name', 'string', required)),
    kinds: ['changeType'],
    expected: { Port: two },
  },
  {
    title: 'types that become narrower than some values',
    before: port(field('name', 'text'), field('a', 'decimal'), field('b', 'float'), field('c', 'DateTime')),
    rows: {
      Port: [
        { id: 'p1', name: long, a: '-2.7', b: 2.7, c: '2026-01-31 09:30:00' },
        { id: 'p2', name: 'y', a: '3', b: 3, c: '2026-01-31 00:00:00' },
      ],
    },
    after: port(field('name', 'string'), field('a', 'integer'), field('b', 'integer'), field('c', 'Date')),
    kinds: ['changeType', 'changeType', 'changeType', 'changeType'],
    refused: Object.fromEntries(
      [0, 1, 2, 3].map((index) => [
        `/0/attributes/local_fields/${index}/field_type`,
        /1 row holds a value that \w+ takes only a part of/,
      ]),
    ),
    expected: {
      Port: [
        { id: 'p1', name: 'é'.repeat(255), a: -2, b: 2, c: '2026-01-31' },
        { id: 'p2', name: 'y', a: 3, b: 3, c: '2026-01-31' },
      ],
    },
  },
  {
    title: 'texts that become integers',
    before: port(field('name', 'string')),
    rows: { Port: [{ id: 'p1', name: '-12' }, { id: 'p2', name: '0' }, { id: 'p3' }] },
    after: port(field('name', 'integer')),
    kinds: ['changeType'],
    expected: { Port: [{ id: 'p1', name: -12 }, { id: 'p2', name: 0 }, { id: 'p3' }] },
  },
  {
    title: 'types that do not take some values',
    before: port(field('name', 'string'), field('a', 'integer'), field('b', 'decimal')),
    rows: {
      Port: [
        { id: 'p1', name: '12', a: 1, b: '1' },
        { id: 'p2', name: 'x', a: 2, b: '99999999999' },
        { id: 'p3', name: '007', a: 0, b: '0' },
        { id: 'p4', name: '99999999999' },
      ],
    },
    after: port(field('name', 'integer'), field('a', 'boolean'), field('b', 'integer')),
    kinds: ['changeType', 'changeType', 'changeType'],
    refused: {
      [`${first}/field_type`]: /3 rows hold a value that integer does not take/,
      '/0/attributes/local_fields/1/field_type': /1 row holds a value that boolean does not take/,
      '/0/attributes/local_fields/2/field_type': /1 row holds a value that integer does not take/,
    },
  },
  {
    title: 'a type that becomes one that it cannot become',
    before: port(field('name', 'string')),
    rows: { Port: two },
    after: port(field('name', 'boolean')),
    kinds: ['changeRules'],
    refused: { [`${first}/field_type`]: /cannot become boolean. string can become text, integer./ },
  },
  {
    title: 'the type of an identifier, with what refers to it',
    before: [
      definition('Tenant', { identifier: { field_type: 'integer' } }),
      definition('Port', { refs: [{ ...reference('tenantId', 'Tenant'), field_type: 'integer' }] }),
    ],
    rows: { Tenant: [{ id: 1 }], Port: [{ id: 'p1', tenantId: 1 }] },
    after: [definition('Tenant'), definition('Port', { refs: [reference('tenantId', 'Tenant')] })],
    kinds: ['changeType', 'changeType'],
    expected: { Tenant: [{ id: '1' }], Port: [{ id: 'p1', tenantId: '1' }] },
  },
  {
    title: 'rules that are the API’s alone',
    before: port(field('name', 'string', { field_enum: ['x', 'y', 'z'] })),
    rows: { Port: two },
    after: [
      definition('Port', {
        identifier: { field_immutable: true },
        local: [
          field('name', 'string', { field_enum: ['x', 'y'], field_immutable: true, field_default: "'x'" }),
          field('note', 'string', { field_persistence: false }),
        ],
        top: { category: 'network', api_generation: false, methods: { class_methods: ['a'] } },
      }),
    ],
    kinds: ['changeRules'],
    expected: { Port: two },
  },
  {
    title: 'an enum that rows do not keep to',
    before: port(field('name', 'string')),
    rows: { Port: two },
    after: port(field('name', 'string', { field_enum: ['x'] })),
    kinds: ['changeRules'],
    refused: { [`${first}/field_enum`]: /1 row holds a value that is not in the list/ },
    expected: { Port: two },
  },
  {
    title: 'a local field that becomes a reference',
    before: [tenant, ...port(field('tenantId', 'string'))],
    rows: { Tenant: tenants, Port: [{ id: 'p1', tenantId: 't2' }, { id: 'p2' }] },
    after: [definition('Port', { refs: [reference('tenantId', 'Tenant')] })],
    kinds: ['addReference'],
    expected: { Port: [{ id: 'p1', tenantId: 't2' }, { id: 'p2' }] },
  },
  {
    title: 'a local field that would become a reference, with rows that refer to nothing',
    before: [tenant, ...port(field('tenantId', 'string'))],
    rows: {
      Tenant: tenants,
      Port: [
        { id: 'p1', tenantId: 't2' },
        { id: 'p2', tenantId: 't3' },
      ],
    },
    after: [definition('Port', { refs: [reference('tenantId', 'Tenant')] })],
    kinds: ['addReference'],
    refused: { '/0/attributes/ref_fields/0/ref_class': /1 row holds a value that no Tenant has as its id/ },
  },
  {
    title: 'a reference that becomes a local field',
    before: [tenant, definition('Port', { refs: [reference('tenantId', 'Tenant')] })],
    rows: { Tenant: tenants, Port: [{ id: 'p1', tenantId: 't2' }] },
    after: port(field('tenantId', 'string')),
    kinds: ['dropReference'],
    expected: { Port: [{ id: 'p1', tenantId: 't2' }] },
  },
  {
    title: 'a reference to another field',
    before: [tenant, definition('Port', { refs: [reference('tenantId', 'Tenant', 'id', unique)] })],
    rows: { Tenant: [{ id: 'a', code: 'a' }], Port: [{ id: 'p1', tenantId: 'a' }] },
    after: [definition('Port', { refs: [reference('tenantId', 'Tenant', 'code', unique)] })],
    kinds: ['dropReference', 'addReference'],
    expected: { Port: [{ id: 'p1', tenantId: 'a' }] },
  },
  {
    title: 'another identifier',
    before: port(field('name', 'string')),
    rows: { Port: two },
    after: [definition('Port', { identifier: { field_name: 'name' }, local: [field('id', 'string')] })],
    kinds: ['addUnique', 'dropUnique', 'changeIdentifier'],
    refused: { '/0/attributes/identifier/field_name': /by "id"; the addresses of 2 rows would change/ },
    expected: { Port: two },
  },
  {
    title: 'another identifier that some rows do not have',
    before: port(field('name', 'string')),
    rows: { Port: [...two, { id: 'p3' }] },
    after: [definition('Port', { identifier: { field_name: 'name' }, local: [field('id', 'string')] })],
    kinds: ['addUnique', 'dropUnique', 'changeIdentifier'],
    refused: { '/0/attributes/identifier/field_name': /1 row has no value in "name"/ },
  },
  {
    title: 'an entity that loses its table',
    before: port(field('name', 'string')),
    rows: { Port: two },
    after: [definition('Port', { local: [field('name', 'string')], top: { persistence: false } })],
    kinds: ['dropTable'],
    refused: { '/0/persistence': /would lose its table "Port" with 2 rows/ },
    expected: { Port: [] },
  },
  {
    title: 'an entity that is abstract no more',
    before: [definition('Port', { top: { abstract: true } })],
    rows: {},
    after: port(),
    kinds: ['createTable'],
    expected: { Port: [] },
  },
  {
    title: 'many changes of several tables at once',
    before: [
      tenant,
      definition('Port', {
        local: [field('name', 'string', required), field('old', 'string'), field('size', 'decimal')],
        refs: [reference('tenantId', 'Tenant')],
      }),
      definition('Site', { refs: [reference('portId', 'Port')] }),
    ],
    rows: {
      Tenant: tenants,
      Port: [{ id: 'p1', name: 'x', old: 'o', size: '1.5', tenantId: 't1' }],
      Site: [{ id: 's1', portId: 'p1' }],
    },
    after: [
      definition('Client', {
        local: [field('code', 'text')],
        top: { renamed_from: 'Tenant' },
      }),
      definition('Port', {
        local: [
          field('label', 'string', { ...unique, renamed_from: 'name' }),
          field('size', 'integer'),
          field('open', 'boolean', { ...required, field_default: 'false' }),
        ],
        refs: [reference('clientId', 'Client', 'id', { renamed_from: 'tenantId' })],
      }),
      definition('Site', { refs: [reference('portLabel', 'Port', 'label'), reference('portId', 'Port')] }),
      definition('Cable', { refs: [reference('siteId', 'Site'), reference('otherId', 'Cable')] }),
    ],
    kinds: [
      'renameTable',
      'changeType',
      'dropUnique',
      'renameColumn',
      'allowNull',
      'addUnique',
      'changeType',
      'addColumn',
      'renameColumn',
      'dropColumn',
      'addColumn',
      'createTable',
    ],
    refused: {
      '/1/attributes/local_fields': /"old" is missing/,
      '/1/attributes/local_fields/1/field_type': /takes only a part of/,
    },
    expected: {
      Client: tenants,
      Port: [{ id: 'p1', label: 'x', size: 1, open: 0, clientId: 't1' }],
      Site: [{ id: 's1', portId: 'p1' }],
      Cable: [],
    },
  },
]

describe.each(products)('$name', (product) => {
  test.for(shareOf(evolutions, product))(
    '$title',
    async ({ before, rows, after, kinds, refused = {}, expected }) => {
      const entities = await temporaryEntities(product)
      const { database } = entities
      if (before.length > 0) await entities.upload(before)
      for (const [table, list] of Object.entries(rows)) await putRows(database, table, list)

      const plan = await entities.plan(after)
      expect(plan.entities.flatMap(({ steps }) => steps.map(({ kind }) => kind))).toEqual(kinds)
      expect(Object.fromEntries(plan.problems.map(({ pointer, detail }) => [pointer, detail]))).toEqual(
        Object.fromEntries(
          Object.entries(refused).map(([pointer, detail]) => [pointer, expect.stringMatching(detail)]),
        ),
      )
      if (plan.problems.length > 0) {
        const { code, mistakes } = await refusalOf(entities.upload(after))
        expect([code, mistakes.map(({ pointer }) => pointer)]).toEqual([
          'TABLE_CHANGE_REFUSED',
          plan.problems.map(({ pointer }) => pointer),
        ])
        for (const [table, list] of Object.entries(rows)) expect(await rowsOf(database, table)).toEqual(list)
      }
      if (expected === undefined) {
        const { code } = await refusalOf(entities.upload(after, { allowDestructive: true }))
        expect(code).toBe('TABLE_CHANGE_REFUSED')
        for (const [table, list] of Object.entries(rows)) expect(await rowsOf(database, table)).toEqual(list)
        return
      }
      await entities.upload(after, { allowDestructive: plan.problems.length > 0 })
      for (const [table, list] of Object.entries(expected))
        expect(await rowsOf(database, table)).toEqual(list)
      await expectToFit(entities)
      const again = await entities.plan(after)
      expect(again.problems).toEqual([])
      expect(again.entities.flatMap(({ steps }) => steps.map(({ kind }) => kind))).toEqual(
        after.map(() => 'none'),
      )
    },
  )
})

/** Every table is what its definition makes of it. */
async function expectToFit({
  database,
  store,
}: Awaited<ReturnType<typeof temporaryEntities>>): Promise<void> {
  await database.driver.read(async (connection) => {
    const schema = await database.dialect.introspect(connection)
    const known = await readStoredEntities(await store.entities.list(connection))
    expect(known.flatMap(({ definition }) => driftOf(definition, schema, database.dialect.ddl))).toEqual([])
    expect(await store.uploads.unfinished(connection)).toBeUndefined()
    if (database.dialect.product === 'sqlite') {
      expect(await connection.query({ sql: 'pragma foreign_key_check', parameters: [] })).toEqual([])
    }
  })
}
