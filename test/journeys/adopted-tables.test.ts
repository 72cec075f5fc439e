/** Tables that other programs made become entities as they are. */
import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { DatabaseOptions } from '../../src/database/open-database.ts'
import { executeAll, makeForeignTables } from '../support/foreign-tables.ts'
import { answersLike, clientOf, operationsIn } from '../support/openapi-client.ts'
import { products } from '../support/products.ts'
import { runCommand } from '../support/run-command.ts'
import { field } from '../support/temporary-entities.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into as a client does
type Json = any

describe.each(products)('$name', (product) => {
  let gateway: TestGateway
  let options: DatabaseOptions

  const start = () =>
    startTestGateway(product, async (prepared) => {
      options = prepared
      await makeForeignTables(prepared)
    })
  beforeAll(async () => {
    gateway = await start()
  })
  afterAll(() => gateway.close())

  const call = async (method: string, path: string, body?: unknown, headers: Json = {}) => {
    const answer = await gateway.request(method, path, { ...(body === undefined ? {} : { body }), headers })
    return { status: answer.status, body: answer.body as Json, headers: answer.headers }
  }
  const mistakesOf = ({ body }: { readonly body: Json }) =>
    body.errors?.map(({ pointer, detail }: Json) => `${pointer}: ${detail}`)

  test.each([
    ['keyless', /no primary key, and no unique key without nulls.*It is served in GraphQL as it is\.$/],
    ['loud', /^\/tables\/1: "loud" is a view, whose rows are those of its tables/],
    ['artists', /^\/tables\/1: There is no table "artists"; did you mean "artist"/],
  ])('%s cannot be adopted, nor what is named beside it', async (table, mistake) => {
    const answer = await call('POST', '/manage/entities/adopt', { tables: ['artist', table] })
    expect(answer.status).toBe(409)
    expect(mistakesOf(answer)).toEqual([expect.stringMatching(mistake)])
    expect((await call('GET', '/manage/entities')).body).toEqual([])
  })

  test('a dry run shows the definitions, and what of a table is not served as it is', async () => {
    const { status, body } = await call('POST', '/manage/entities/adopt?dry_run=true', {
      tables: ['albums', 'track'],
    })
    expect(status).toBe(200)
    const [albums, track] = body
    expect(albums.resource).toBe('/apis/albums')
    expect(albums.warnings).toEqual([
      expect.stringMatching(/^The column "unit price" is left out\. A name starts with a letter/),
      expect.stringMatching(/^The column "shouted" of type .* is read only\.$/),
      expect.stringMatching(/^The column "length" of type .* is read only\.$/),
    ])
    expect(albums.definition.adopted).toEqual({ key: ['album_id'], left_out: ['unit price'] })
    expect(albums.definition.attributes.identifier).toEqual({
      field_name: 'album_id',
      field_type: 'integer',
      field_column: expect.any(String),
      field_immutable: true,
    })
    // What it refers to is no entity.
    expect(albums.definition.attributes.ref_fields).toEqual([])
    expect(track.resource).toBe('/apis/tracks')
    expect(track.definition.adopted).toEqual({ key: ['album_id', 'place'] })
    expect(track.definition.attributes).toMatchObject({
      local_fields: [{ field_name: 'place' }, { field_name: 'genre' }, { field_name: 'seconds' }],
      ref_fields: [{ field_name: 'album_id', ref_class: 'albums', ref_class_field: 'album_id' }],
    })
    expect((await call('GET', '/manage/entities')).body).toEqual([])
  })

  describe('adopted', () => {
    beforeAll(async () => {
      const adopted = await call('POST', '/manage/entities/adopt', {
        tables: ['artist', 'genre', 'albums', 'track'],
      })
      expect(adopted.status).toBe(201)
      expect(adopted.body.map(({ resource }: Json) => resource)).toEqual([
        '/apis/artists',
        '/apis/genres',
        '/apis/albums',
        '/apis/tracks',
      ])
      expect((await call('GET', '/manage/drift')).body).toEqual([])
      if (product.name === 'MariaDB') await followJson(adopted.body[2].definition)
    })

    /** MariaDB keeps JSON as texts: the definition says that they are more. */
    async function followJson(definition: Json): Promise<void> {
      const { attributes } = definition
      const locals = attributes.local_fields.map((local: Json) =>
        local.field_name === 'extra' ? { ...local, field_type: 'object' } : local,
      )
      const body = { ...definition, attributes: { ...attributes, local_fields: locals } }
      expect((await call('POST', '/manage/entities', body)).status).toBe(201)
    }

    test('rows of any types are read', async () => {
      expect((await call('GET', '/apis/artists')).body).toEqual([
        { artist_id: 1, name: 'AC/DC' },
        { artist_id: 2, name: 'Accept' },
      ])
      expect((await call('GET', '/apis/albums/1')).body).toEqual({
        album_id: 1,
        title: 'Restless',
        artist_id: 2,
        price: '8.99',
        released: '1982-01-01T10:00:00',
        sold: '9007199254740993',
        rating: 7.5,
        is_new: product.name === 'MariaDB' ? 1 : true,
        extra: { discs: 1 },
        cover: null,
        shouted: 'RESTLESS',
        length: product.name === 'MariaDB' ? 'POINT(1 2)' : '1 day',
        state: 'draft',
      })
      expect((await call('GET', '/apis/tracks/1,1')).body).toEqual({
        album_id: 1,
        place: 1,
        genre: 'roc',
        seconds: 230,
      })
      for (const path of ['/apis/tracks/1,7', '/apis/tracks/1', '/apis/tracks/1,a', '/apis/artists/x']) {
        expect((await call('GET', path)).status, path).toBe(404)
      }
    })

    test('rows are created, with keys of the database or of the caller', async () => {
      const made = await call('POST', '/apis/artists', { name: 'Aerosmith' })
      expect(made.status).toBe(201)
      const { artist_id: id } = made.body
      expect(made.body).toEqual({ artist_id: expect.any(Number), name: 'Aerosmith' })
      expect(made.headers.get('location')).toBe(`/apis/artists/${id}`)
      const album = await call('POST', '/apis/albums', {
        title: 'Toys',
        artist_id: id,
        price: 12.5,
        released: '1975-04-08T02:00:00+02:00',
        sold: '9007199254740995',
        extra: { live: null },
        cover: 'AQID',
      })
      expect(album.body).toEqual({
        album_id: expect.any(Number),
        title: 'Toys',
        artist_id: id,
        price: '12.5',
        released: '1975-04-08T00:00:00',
        sold: '9007199254740995',
        rating: null,
        is_new: product.name === 'MariaDB' ? 1 : true,
        extra: { live: null },
        cover: 'AQID',
        shouted: 'TOYS',
        length: null,
        state: 'draft',
      })
      const tracks = await call('POST', '/apis/tracks', [
        { album_id: 1, place: 3, seconds: 7 },
        { album_id: 1, place: 2, genre: 'roc' },
      ])
      expect([tracks.status, tracks.body]).toEqual([
        201,
        [
          { album_id: 1, place: 3, genre: null, seconds: 7 },
          { album_id: 1, place: 2, genre: 'roc', seconds: null },
        ],
      ])
      const several = await call('POST', '/apis/artists', [
        { name: 'B' },
        { artist_id: 70, name: 'C' },
        { name: 'A' },
      ])
      expect(several.body.map(({ name }: Json) => name)).toEqual(['B', 'C', 'A'])
      expect(several.body[1].artist_id).toBe(70)
      expect((await call('GET', '/apis/artists?name=C&name=A&asc=name&count=true')).body).toHaveLength(2)
    })

    test.each([
      ['artists', {}, 422, ['/name: This field is required: it is not nullable and has no default.']],
      [
        'artists',
        { name: 'AC/DC' },
        409,
        [expect.stringMatching(/^\/name: Another artist has the name "AC\/DC" already/)],
      ],
      [
        'artists',
        { name: 'x', instance: 'i' },
        422,
        [expect.stringMatching(/^\/instance: There is no field "instance"/)],
      ],
      [
        'albums',
        { title: 'x', artist_id: 99 },
        422,
        ['/artist_id: There is no artist whose artist_id is 99.'],
      ],
      [
        'albums',
        { title: 'x', artist_id: 1, shouted: 'Y' },
        422,
        ['/shouted: Only the database writes this field. Leave it out.'],
      ],
      [
        'albums',
        { title: 'x', artist_id: 1, sold: '1e3' },
        422,
        [expect.stringMatching(/^\/sold: A whole number of 64 bits/)],
      ],
      ['albums', { title: 'x', artist_id: 1, rating: 11 }, 422, undefined],
      [
        'tracks',
        { album_id: 1 },
        422,
        ['/place: This field is required: it is not nullable and has no default.'],
      ],
      ['tracks', { album_id: 1, place: 1 }, 409, undefined],
      [
        'tracks',
        { album_id: 1, place: 9, genre: 'zzz' },
        422,
        ['/genre: There is no genre whose code is "zzz".'],
      ],
    ])('%s do not take %j', async (resource, record, status, mistakes) => {
      const answer = await call('POST', `/apis/${resource}`, record)
      expect([answer.status, mistakesOf(answer)]).toEqual([status, mistakes ?? mistakesOf(answer)])
    })

    test('rows are changed and deleted by anyone who read them last', async () => {
      const { body: created } = await call('POST', '/apis/albums', {
        title: 'Draft',
        artist_id: 1,
        state: 'new',
      })
      const path = `/apis/albums/${created.album_id}`
      const read = await call('GET', path)
      const tag = { 'if-match': read.headers.get('etag') ?? '' }
      const changed = await call('PATCH', path, { title: 'Final', extra: { a: 1 } }, tag)
      expect(changed.body).toEqual({ ...created, title: 'Final', extra: { a: 1 }, shouted: 'FINAL' })
      expect((await call('PATCH', path, { title: 'Late' }, tag)).status).toBe(412)
      expect((await call('PATCH', path, {})).body).toEqual(changed.body)
      // What the database would fill keeps its value, and so does what no one may change.
      const replaced = await call('PUT', path, { title: 'Whole', artist_id: 2 })
      expect(replaced.body).toEqual({ ...created, title: 'Whole', artist_id: 2, shouted: 'WHOLE' })
      expect((await call('PUT', path, replaced.body)).status).toBe(200)
      const moved = await call('PATCH', path, { album_id: 500 })
      expect(mistakesOf(moved)).toEqual([expect.stringMatching(/^\/album_id: This field cannot be changed/)])
      expect(mistakesOf(await call('PATCH', path, { artist_id: 99 }))).toEqual([
        '/artist_id: There is no artist whose artist_id is 99.',
      ])
      const track = await call('POST', '/apis/tracks', { album_id: created.album_id, place: 1 })
      expect(track.headers.get('location')).toBe(`/apis/tracks/${created.album_id},1`)
      expect((await call('PATCH', `/apis/tracks/${created.album_id},1`, { seconds: 5 })).body.seconds).toBe(5)
      expect((await call('DELETE', `/apis/tracks/${created.album_id},1`)).status).toBe(204)
      expect((await call('DELETE', '/apis/artists/2')).status).toBe(409)
      expect((await call('DELETE', path)).status).toBe(204)
      expect((await call('GET', path)).status).toBe(404)
    })

    test('a key may hold what no part of a path may', async () => {
      const made = await call('POST', '/apis/genres', { code: 'a/b', label: 'Both' })
      expect([made.status, made.headers.get('location')]).toEqual([201, '/apis/genres/a~2b'])
      expect((await call('GET', '/apis/genres/a~2b')).body).toEqual({ code: 'a/b', label: 'Both' })
      expect((await call('DELETE', '/apis/genres/a~2b')).status).toBe(204)
    })

    test('lists are filtered, sorted and paged like any others', async () => {
      const page = await call('GET', '/apis/tracks?album_id=1&desc=place&first=2')
      expect(page.body.map(({ place }: Json) => place)).toEqual([3, 2])
      const next = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1] ?? ''
      expect((await call('GET', next)).body.map(({ place }: Json) => place)).toEqual([1])
      const filters = encodeURIComponent(JSON.stringify([{ key: 'name', op: 'starts', val: 'Ac' }]))
      expect((await call('GET', `/apis/artists?filters=${filters}`)).body).toEqual([
        { artist_id: 2, name: 'Accept' },
      ])
      expect((await call('GET', '/apis/albums?unit%20price=1')).status).toBe(400)
    })

    test('roles and OpenAPI know them', async () => {
      await call('POST', '/manage/roles', {
        name: 'reader',
        authorities: [{ regex: '/apis/tracks(/.*)?', methods: ['GET'] }],
      })
      const account = { username: 'robin', password: 'a long pass phrase' }
      const made = await call('POST', '/manage/accounts', { ...account, role: 'reader' })
      const logon = await call('POST', '/logon', account, { 'x-xaas-api-key': made.body.api_key })
      const token = logon.body['x-xaas-auth-token']
      const as = async (method: string, path: string) =>
        (await gateway.request(method, path, { token })).status
      expect(await as('GET', '/apis/tracks/1,1')).toBe(200)
      expect(await as('DELETE', '/apis/tracks/1,1')).toBe(401)
      expect(await as('GET', '/apis/artists')).toBe(401)

      const { paths, components } = (await call('GET', '/openapi.json')).body
      expect(paths['/apis/tracks/{album_id},{place}'].parameters.map(({ name }: Json) => name)).toEqual([
        'album_id',
        'place',
      ])
      expect(Object.keys(components.schemas.artist.properties)).toEqual(['artist_id', 'name'])
      expect(components.schemas['artist.new'].required).toEqual(['name'])
      expect(Object.keys(components.schemas['albums.new'].properties)).not.toContain('shouted')
      expect(components.schemas.albums.properties.shouted.readOnly).toBe(true)
    })

    test('a client made from the OpenAPI document calls every operation', async () => {
      const document = (await call('GET', '/openapi.json')).body
      expect(await new Validator().validate(structuredClone(document))).toEqual({ valid: true })
      const client = (await clientOf(document, gateway)) as Json
      const check = answersLike(document)
      const called: string[] = []
      const run = async (operation: string, key: Json, body?: unknown) => {
        called.push(operation)
        const answer = await client[operation](key, body)
        check(operation, answer)
        return answer
      }
      const made = (await run('createartist', null, { name: 'Client' })).data
      const album = (await run('createalbums', null, { title: 'Made', artist_id: made.artist_id })).data
      const cases: Json = {
        artist: [{ artist_id: made.artist_id }, { name: 'Clients' }],
        genre: [{ code: 'x,y' }, { label: 'Odd' }],
        albums: [{ album_id: album.album_id }, { title: 'Remade', artist_id: made.artist_id }],
        track: [{ album_id: album.album_id, place: 4 }, { seconds: 9 }],
      }
      await run('creategenre', null, { code: 'x,y' })
      await run('createtrack', null, [cases.track[0]])
      for (const [entity, [key, body]] of Object.entries<Json>(cases)) {
        // In a path of one value a comma is itself.
        expect((await run(`get${entity}`, key)).data, entity).toMatchObject(key)
        expect((await run(`change${entity}`, key, body)).data).toMatchObject({ ...key, ...body })
        expect((await run(`replace${entity}`, key, body)).data).toMatchObject({ ...key, ...body })
        expect((await run(`list${entity}`, null)).data.length).toBeGreaterThan(0)
        expect((await run(`query${entity}`, null, key)).data).toMatchObject([key])
      }
      for (const entity of ['track', 'albums', 'genre', 'artist']) {
        expect((await run(`delete${entity}`, cases[entity][0])).status).toBe(204)
      }
      expect([...new Set(called)].sort()).toEqual(operationsIn(document).sort())
    })

    test('rules are added by an upload; fields of ones own come beside the columns of others', async () => {
      const { body: known } = await call('GET', '/manage/entities/genre')
      const { definition } = known
      const { local_fields: locals } = definition.attributes
      const changed = {
        ...definition,
        attributes: {
          ...definition.attributes,
          local_fields: [
            ...locals.map((local: Json) =>
              local.field_name === 'label' ? { ...local, field_enum: ['Rock', 'Jazz'] } : local,
            ),
            field('shelf', 'integer', { field_nullable: false, field_default: '7' }),
          ],
        },
      }
      const plan = await call('POST', '/manage/entities?dry_run=true', changed)
      expect(plan.body.entities[0].steps.map(({ kind }: Json) => kind)).toEqual(['addColumn'])
      expect((await call('POST', '/manage/entities', changed)).status).toBe(201)
      expect((await call('GET', '/apis/genres/roc')).body).toEqual({ code: 'roc', label: 'Rock', shelf: 7 })
      expect((await call('POST', '/apis/genres', { code: 'cla', label: 'Classic' })).status).toBe(422)
      expect((await call('POST', '/apis/genres', { code: 'jaz', label: 'Jazz' })).body.shelf).toBe(7)
      expect((await call('GET', '/manage/drift')).body).toEqual([])

      const refused = async (other: Json) => {
        const answer = await call('POST', '/manage/entities?allow_destructive=true', other)
        expect(answer.status).toBeGreaterThanOrEqual(409)
        return mistakesOf(answer)
      }
      const { adopted: _, ...unadopted } = definition
      expect(await refused(unadopted)).toContainEqual(
        expect.stringMatching(/field_column: Only the fields of an adopted table/),
      )
      expect(
        await refused({
          name: 'genre',
          attributes: { identifier: { field_name: 'code', field_type: 'string' } },
        }),
      ).toEqual([expect.stringMatching(/^: "genre" is an adopted table/)])
      const [label] = locals
      expect(
        await refused({
          ...definition,
          attributes: { ...definition.attributes, local_fields: [{ ...label, field_nullable: false }] },
        }),
      ).toContainEqual(
        expect.stringMatching(
          /field.*The column "label" is nullable in the database|^\/attributes\/local_fields\/0: The column "label" is nullable in the database/,
        ),
      )
      // A column that others made is left out of the entity, never dropped.
      const without = {
        ...definition,
        adopted: { ...definition.adopted, left_out: ['label'] },
        attributes: { ...definition.attributes, local_fields: [changed.attributes.local_fields.at(-1)] },
      }
      expect((await call('POST', '/manage/entities', without)).status).toBe(201)
      expect((await call('GET', '/apis/genres/roc')).body).toEqual({ code: 'roc', shelf: 7 })
      expect((await call('POST', '/manage/entities', changed)).status).toBe(201)
      expect((await call('GET', '/apis/genres/roc')).body.label).toBe('Rock')
    })

    test('other entities may refer to them', async () => {
      const reviews = {
        name: 'Review',
        attributes: {
          identifier: { field_name: 'id', field_type: 'string' },
          ref_fields: [
            {
              field_name: 'artist',
              field_type: 'integer',
              ref_class: 'artist',
              ref_class_field: 'artist_id',
            },
          ],
        },
      }
      expect((await call('POST', '/manage/entities', reviews)).status).toBe(201)
      expect((await call('POST', '/apis/reviews', { id: 'r', artist: 1 })).status).toBe(201)
      expect(mistakesOf(await call('POST', '/apis/reviews', { id: 's', artist: 99 }))).toEqual([
        '/artist: There is no artist whose artist_id is 99.',
      ])
      expect((await call('DELETE', '/manage/entities/artist')).status).toBe(409)
      await call('DELETE', '/manage/entities/Review?allow_destructive=true')
    })
  })

  test('a table changed behind our back is reported, and followed by an upload', async () => {
    gateway = await restarted()
    await call('POST', '/manage/entities/adopt', { tables: ['genre'] })
    await executeAll(options, ['alter table genre add column colour integer'])
    expect((await call('GET', '/manage/drift')).body).toEqual([
      { name: 'genre', drift: ['The table has a column "colour" that the definition does not have.'] },
    ])
    await executeAll(options, [
      'alter table genre drop column colour',
      'alter table genre rename column label to title',
    ])
    expect((await call('GET', '/manage/entities/genre')).body.drift).toEqual([
      'The column "label" does not exist.',
      'The table has a column "title" that the definition does not have.',
    ])
    const { definition } = (await call('GET', '/manage/entities/genre')).body
    const again = await call('POST', '/manage/entities?allow_destructive=true', {
      ...definition,
      category: 'x',
    })
    expect(mistakesOf(again)).toEqual([
      '/attributes/local_fields/0: The column "label" does not exist. The gateway does not change it: describe it as it is.',
    ])
    const [label] = definition.attributes.local_fields
    const followed = {
      ...definition,
      attributes: { ...definition.attributes, local_fields: [{ ...label, field_name: 'title' }] },
    }
    expect((await call('POST', '/manage/entities', followed)).status).toBe(201)
    expect((await call('GET', '/manage/drift')).body).toEqual([])
    expect((await call('GET', '/apis/genres')).body).toEqual([{ code: 'roc', title: 'Rock' }])
  })

  test('an adopted table stays when its entity goes, and is adopted again by its definition', async () => {
    gateway = await restarted()
    expect(await runCommand(['entity', 'adopt', 'albums,artist'], gateway)).toMatchObject({
      exitCode: 0,
      output: 'Adopted: albums, artist.',
      errors: expect.stringMatching(/albums: The column "unit price" is left out\./),
    })
    const { definition } = (await call('GET', '/manage/entities/artist')).body
    expect((await call('DELETE', '/manage/entities/albums')).status).toBe(204)
    expect((await call('DELETE', '/manage/entities/artist')).status).toBe(204)
    expect((await call('GET', '/apis/artists')).status).toBe(404)
    expect(await gateway.graphql('{ artist { edges { node { name } } } }')).toMatchObject({
      data: { artist: { edges: [{ node: { name: 'AC/DC' } }, { node: { name: 'Accept' } }] } },
    })
    const plan = await call('POST', '/manage/entities?dry_run=true', definition)
    expect(plan.body.entities[0].steps.map(({ kind }: Json) => kind)).toEqual(['adoptTable'])
    expect((await call('POST', '/manage/entities', definition)).status).toBe(201)
    expect((await call('GET', '/apis/artists/1')).body).toEqual({ artist_id: 1, name: 'AC/DC' })
  })

  test('tables are adopted where the records of the gateway are in another database', async () => {
    await gateway.close()
    const [sqlite] = products
    const store = await sqlite?.createDatabase()
    if (store === undefined) throw new Error('SQLite is everywhere.')
    gateway = await startTestGateway(product, makeForeignTables, { store: store.options })
    onTestFinished(store.remove)
    const own = { name: 'Own', attributes: { identifier: { field_name: 'id', field_type: 'string' } } }
    const refused = await call('POST', '/manage/entities', own)
    expect(refused.body).toMatchObject({
      code: 'TABLE_CHANGE_REFUSED',
      detail: expect.stringMatching(/records in another database/),
    })
    const adopted = await call('POST', '/manage/entities/adopt', { tables: ['artist', 'genre'] })
    expect(adopted.status).toBe(201)
    expect((await call('POST', '/apis/artists', { name: 'Abba' })).status).toBe(201)
    const [, genre] = adopted.body
    const { attributes } = genre.definition
    const [label] = attributes.local_fields
    const ruled = {
      ...genre.definition,
      attributes: { ...attributes, local_fields: [{ ...label, field_enum: ['Rock'] }] },
    }
    expect((await call('POST', '/manage/entities', ruled)).status).toBe(201)
    expect((await call('POST', '/apis/genres', { code: 'pop', label: 'Pop' })).status).toBe(422)
    const added = {
      ...ruled,
      attributes: { ...attributes, local_fields: [label, field('shelf', 'integer')] },
    }
    expect((await call('POST', '/manage/entities', added)).body.code).toBe('TABLE_CHANGE_REFUSED')
    expect((await call('GET', '/manage/drift')).body).toEqual([])
    expect((await call('DELETE', '/manage/entities/genre')).status).toBe(204)
    expect((await call('GET', '/apis/genres')).status).toBe(404)
    expect(
      (await call('GET', '/manage/entities/genre/versions')).body.map(({ action }: Json) => action),
    ).toEqual(['deleted', 'changed', 'created'])
  })

  async function restarted(): Promise<TestGateway> {
    await gateway.close()
    const started = await start()
    return started
  }
})
