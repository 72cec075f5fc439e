/** What uploads may and may not do with tables that others made. */
import { describe, expect, test } from 'vitest'
import { products } from '../../../test/support/products.ts'
import {
  field,
  type Json,
  reference,
  refusalOf,
  temporaryEntities,
  uploader,
} from '../../../test/support/temporary-entities.ts'
import { findDrift } from '../plan/find-drift.ts'
import { adoptTables, planAdoption } from './adopt-tables.ts'

describe.each(products)('$name', (product) => {
  async function adopted() {
    const entities = await temporaryEntities(product)
    const { execute, parts } = entities
    await execute("create table shelf (code char(2) not null primary key, place varchar(20) default 'here')")
    await execute("insert into shelf (code) values ('a1'), ('a2')")
    const [shelf] = await adoptTables({ tables: ['shelf'] }, uploader, parts)
    const definition = shelf?.entity.definition as {
      readonly attributes: { readonly local_fields: readonly Json[] }
    }
    const withFields = (...fields: readonly Json[]) => ({
      ...definition,
      attributes: {
        ...definition.attributes,
        local_fields: [...definition.attributes.local_fields, ...fields],
      },
    })
    return { ...entities, definition, withFields }
  }

  test('fields are added with rules of their own, and evolve', async () => {
    const { upload, plan, query, withFields, parts, definition } = await adopted()
    const note = field('note', 'string', { field_default: "'none'" })
    await upload(withFields(note, field('number', 'integer', { field_unique: true })))
    expect(await findDrift(parts)).toEqual([])
    expect(await query('select code, place, note, number from shelf order by code')).toEqual([
      ['a1', 'here', 'none', null],
      ['a2', 'here', 'none', null],
    ])
    const renamed = withFields(
      { ...note, field_name: 'remark', renamed_from: 'note' },
      field('number', 'integer', { field_unique: true }),
    )
    await upload(renamed)
    expect(await query('select remark from shelf order by code')).toEqual([['none'], ['none']])
    expect(await findDrift(parts)).toEqual([])

    const dropped = await plan(definition, { allowDestructive: true })
    expect(dropped.entities[0]?.steps.map(({ kind, field: name }) => [kind, name])).toEqual([
      ['dropColumn', 'remark'],
      ['dropColumn', 'number'],
    ])
    if (product.name === 'SQLite') {
      const { mistakes } = await refusalOf(upload(definition, { allowDestructive: true }))
      expect(mistakes).toEqual([
        {
          pointer: '',
          detail: expect.stringMatching(/^The database would have to make the table "shelf" again/),
        },
      ])
    } else {
      await upload(definition, { allowDestructive: true })
      expect(await query("select * from shelf where code = 'a1'")).toEqual([['a1', 'here']])
    }
  })

  test('a field may refer to another entity, and be dropped with its index', async () => {
    const { upload, withFields, parts, execute } = await adopted()
    const owner = { name: 'Owner', attributes: { identifier: { field_name: 'id', field_type: 'string' } } }
    const base = withFields()
    const referring = {
      ...base,
      attributes: { ...base.attributes, ref_fields: [reference('owner', 'Owner')] },
    }
    await upload([owner, referring])
    expect(await findDrift(parts)).toEqual([])
    await expect(execute("update shelf set owner = 'nobody'")).rejects.toThrow()
    if (product.name === 'SQLite') return
    await upload(base, { allowDestructive: true })
    expect(await findDrift(parts)).toEqual([])
  })

  test.each([
    [
      'a table of ours',
      (own: Json) => ({ ...own, adopted: { key: ['code'] } }),
      /^\/adopted\/key\/0: "code" is no field with a field_column/,
    ],
    [
      'no table',
      (_: Json, shelf: Json) => ({ ...shelf, persistence: false }),
      /^\/adopted: An adopted table exists/,
    ],
    [
      'another name',
      (_: Json, shelf: Json) => ({ ...shelf, name: 'rack', renamed_from: 'shelf' }),
      /^\/renamed_from: The table is not the gateway's/,
    ],
    [
      'a name without a table',
      (_: Json, shelf: Json) => ({ ...shelf, name: 'rack' }),
      /^\/name: There is no table "rack"/,
    ],
    [
      'another key',
      (_: Json, shelf: Json) => ({ ...shelf, adopted: { key: ['place'] } }),
      /^\/attributes\/identifier\/field_name: The identifier of an adopted table is its key/,
    ],
    [
      'a left out field',
      (_: Json, shelf: Json) => ({ ...shelf, adopted: { key: ['code'], left_out: ['place'] } }),
      /^\/adopted\/left_out\/0: "place" is a field here/,
    ],
  ])('%s cannot be said of it', async (_, change, mistake) => {
    const { upload, definition } = await adopted()
    const own = { name: 'Own', attributes: { identifier: { field_name: 'code', field_type: 'string' } } }
    const { mistakes } = await refusalOf(upload(change(own, definition), { allowDestructive: true }))
    expect(mistakes.map(({ pointer, detail }) => `${pointer}: ${detail}`)).toContainEqual(
      expect.stringMatching(mistake),
    )
  })

  test('columns of others have the types that they have', async () => {
    const { upload, definition, withFields } = await adopted()
    const [place] = definition.attributes.local_fields
    const changed = async (more: Json) => {
      const document = {
        ...definition,
        attributes: { ...definition.attributes, local_fields: [{ ...place, ...more }] },
      }
      const { mistakes } = await refusalOf(upload(document, { allowDestructive: true }))
      return mistakes.map(({ pointer, detail }) => `${pointer}: ${detail}`)
    }
    const at = '/attributes/local_fields/0'
    expect(await changed({ field_type: 'integer' })).toEqual([
      expect.stringMatching(
        new RegExp(
          `^${at}: The column "place" of type .* can be string or text or array or object, and not integer`,
        ),
      ),
    ])
    expect(await changed({ field_column: 'money' })).toEqual([
      expect.stringMatching(new RegExp(`^${at}: The column "place" has the type .* in the database\\.`)),
    ])
    expect(await changed({ field_unique: true })).toEqual([
      expect.stringMatching(new RegExp(`^${at}: The column "place" is not unique in the database\\.`)),
    ])
    const { field_column: _, ...own } = place ?? {}
    expect(await changed({ ...own, field_column: null })).toEqual([
      `${at}/field_column: The column "place" exists. Name its type with field_column.`,
    ])
    const twice = withFields(field('code', 'string'))
    expect((await refusalOf(upload(twice))).mistakes[0]?.detail).toMatch(/There is a field "code" already/)
  })

  test('what cannot be told apart or found in a path is refused, and nothing beside it is kept', async () => {
    const { execute, parts, store } = await temporaryEntities(product)
    await execute('create table fine (id integer not null primary key)')
    await execute('create table loose (a integer, b integer, unique (a))')
    await execute('create table keyed (a integer not null, b integer not null, unique (a, b))')
    await execute('create table single (ratio float not null primary key)')
    const refused = async (table: string) => {
      const { mistakes } = await refusalOf(adoptTables({ tables: ['fine', table] }, uploader, parts))
      return mistakes.map(({ pointer, detail }) => `${pointer}: ${detail}`)
    }
    expect(await refused('loose')).toEqual([
      expect.stringMatching(/^\/tables\/1: The table has no primary key, and no unique key without nulls/),
    ])
    expect(await refused('single')).toEqual([
      expect.stringMatching(
        /^\/tables\/1: The column "ratio" of the key is of type .*, which cannot be part of a path/,
      ),
    ])
    expect(await store.read((connection) => store.entities.list(connection))).toEqual([])
    const { uploads } = await planAdoption({ tables: ['keyed'] }, parts)
    expect(uploads[0]?.json.adopted).toEqual({ key: ['a', 'b'] })
  })
})
