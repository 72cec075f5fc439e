import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { type TemporaryApis, temporaryApis } from '../../../test/support/temporary-apis.ts'
import { definition, field, reference } from '../../../test/support/temporary-entities.ts'

const uuidV7 = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)

async function tenantsAndPorts(): Promise<TemporaryApis> {
  return temporaryApis(JSON.parse(await readFile('examples/tenants-and-ports.json', 'utf8')))
}

async function withPort(): Promise<TemporaryApis> {
  const apis = await tenantsAndPorts()
  await apis.call('POST', '/apis/tenants', { id: 't1' })
  await apis.call('POST', '/apis/ports', { id: 'p1', name: 'uplink', portType: 'trunk', tenantId: 't1' })
  return apis
}

/** The pointers and sentences of an answer, as `pointer: sentence`. */
const mistakesIn = ({ body }: { body: { errors?: { pointer: string; detail: string }[] } }) =>
  (body.errors ?? []).map(({ pointer, detail }) => `${pointer}: ${detail}`)

test('R3: a list with more records than one answer may have is refused, and its pages are answered', async () => {
  const { call } = await temporaryApis(definition('Port'), { rowLimit: 3 })
  await call('POST', '/apis/ports', [{ id: 'a' }, { id: 'b' }, { id: 'c' }])
  const idsOf = async (query: string) => {
    const { status, body } = await call('GET', `/apis/ports?${query}`)
    return [status, status === 200 ? body.map(({ id }: { id: string }) => id).join('') : body.detail]
  }
  expect(await idsOf('count=true')).toEqual([200, 'abc'])
  await call('POST', '/apis/ports', { id: 'd' })
  const refusal =
    'The list has more than 3 records, which is the limit (list_max_rows). Page through it with "limit".'
  for (const query of ['', 'limit=4', 'offset=0', 'id=a&id=b&id=c&id=d'])
    expect(await idsOf(query)).toEqual([413, refusal])
  expect(await idsOf('first=4')).toEqual([400, 'first takes at most 3 here (list_max_rows).'])
  for (const [query, ids] of [
    ['limit=3', 'abc'],
    ['offset=1', 'bcd'],
    ['first=3', 'abc'],
    ['last=2', 'cd'],
    ['id=a&id=d', 'ad'],
  ] as const)
    expect(await idsOf(query)).toEqual([200, ids])
  expect((await call('GET', '/apis/ports?limit=3')).headers.get('link')).toContain('rel="next"')
})

describe('creating', () => {
  test('fills in what was not sent, and answers the record, where it is and its tag', async () => {
    const { call } = await tenantsAndPorts()
    await call('POST', '/apis/tenants', { id: 't1' })
    const answer = await call(
      'POST',
      '/apis/ports',
      { name: 'uplink', portType: 'trunk', tenantId: 't1', vlanRanges: [[1, 5], 'all'] },
      { 'x-xaas-xid': 'order-7' },
    )
    expect(answer.status).toBe(201)
    expect(JSON.stringify(answer.body)).toBe(
      JSON.stringify({
        instance: answer.body.instance,
        xid: 'order-7',
        xname: 'POST /apis/ports',
        id: answer.body.id,
        name: 'uplink',
        isActivated: false,
        vlanRanges: [[1, 5], 'all'],
        portType: 'trunk',
        operationStatus: null,
        tenantId: 't1',
      }),
    )
    expect(answer.body).toMatchObject({ instance: uuidV7, id: uuidV7 })
    expect(answer.headers.get('location')).toBe(`/apis/ports/${answer.body.id}`)
    expect(answer.headers.get('etag')).toMatch(/^"[\w-]{22}"$/)
    const found = await call('GET', answer.headers.get('location') ?? '')
    expect(found.body).toEqual(answer.body)
    expect(found.headers.get('etag')).toBe(answer.headers.get('etag'))
  })

  test('names the request when the caller names nothing', async () => {
    const { call } = await tenantsAndPorts()
    const answer = await call('POST', '/apis/tenants', { id: 't1' }, { 'x-xaas-xname': 'Scenario 1' })
    expect(answer.body).toMatchObject({ xid: answer.headers.get('x-request-id'), xname: 'Scenario 1' })
    expect(answer.body.createdAt).toBe('2026-11-21T06:00:00')
  })

  test.each([['a'.repeat(256)], ['é']])('refuses an odd header', async (value) => {
    const { call } = await tenantsAndPorts()
    expect(await call('POST', '/apis/tenants', {}, { 'x-xaas-xid': value })).toMatchObject({
      status: 400,
      body: { detail: expect.stringMatching(/X-Xaas-Xid takes 1 to 255/) },
    })
  })

  test('of a list keeps its order', async () => {
    const { call } = await tenantsAndPorts()
    const ids = Array.from({ length: 1000 }, (_, index) => `t${(index * 7919) % 1000}`)
    const answer = await call(
      'POST',
      '/apis/tenants',
      ids.map((id) => ({ id })),
    )
    expect(answer.status).toBe(201)
    expect(answer.body.map(({ id }: { id: string }) => id)).toEqual(ids)
  })

  test('of a list is all or nothing, and names every mistake', async () => {
    const { call } = await withPort()
    const right = { name: 'a', portType: 'x' }
    const answer = await call('POST', '/apis/ports', [
      right,
      { ...right, nmae: 'b', name: 5 },
      { ...right, tenantId: 't9', id: 'p1' },
      'port',
      { ...right, id: 'p2' },
      { ...right, id: 'p2' },
    ])
    expect(answer.status).toBe(422)
    expect(mistakesIn(answer)).toEqual([
      expect.stringMatching(/^\/1\/nmae: There is no field "nmae"; did you mean "name"/),
      '/1/name: A text of at most 255 characters is expected here, and 5 was sent.',
      '/3: A record is a JSON object.',
      '/2/tenantId: There is no Tenant whose id is "t9".',
      '/5/id: Another record of this call has the same value.',
      '/2/id: Another Port has the id "p1" already.',
    ])
    expect((await call('GET', '/apis/ports')).body).toHaveLength(1)
  })

  test('may refer to records of the same list', async () => {
    const { call } = await temporaryApis(definition('Folder', { refs: [reference('parentId', 'Folder')] }))
    const answer = await call('POST', '/apis/folders', [
      { id: 'a', parentId: 'b' },
      { id: 'b', parentId: 'a' },
      { id: 'c', parentId: 'c' },
    ])
    expect(answer.status).toBe(201)
  })

  const right = { name: 'a', portType: 'x' }
  test.each([
    [
      'a missing field',
      { name: 'a' },
      422,
      '/portType: This field is required: it is not nullable and has no default.',
    ],
    ['null where it must not be', { ...right, name: null }, 422, '/name: This field must not be null.'],
    [
      'an empty identifier',
      { ...right, id: '' },
      422,
      '/id: The identifier is the last part of the path of the record: it must not be empty, a dot or two, or hold a slash, backslash or control character.',
    ],
    ['null as identifier', { ...right, id: null }, 422, '/id: This field must not be null.'],
    [
      'a text for a boolean',
      { ...right, isActivated: 'true' },
      422,
      '/isActivated: true or false is expected here, and "true" was sent.',
    ],
    [
      'an object for a list',
      { ...right, vlanRanges: {} },
      422,
      '/vlanRanges: A list is expected here, and {} was sent.',
    ],
    [
      'a list for a text',
      { ...right, name: ['a'] },
      422,
      '/name: A text of at most 255 characters is expected here, and ["a"] was sent.',
    ],
    [
      'a text that is too long',
      { ...right, name: 'a'.repeat(256) },
      422,
      '/name: A text of at most 255 characters is expected here, and this one has 256.',
    ],
    [
      'NUL',
      { ...right, name: 'a\u0000' },
      422,
      '/name: A text must not hold NUL or half of a surrogate pair; not every database can keep them.',
    ],
    [
      'a value outside an enum',
      { ...right, operationStatus: 'completed' },
      422,
      '/operationStatus: This must be one of "Processing", "Completed", "Cancelled"; did you mean "Completed".',
    ],
    ['a system column', { ...right, xid: 'x' }, 422, '/xid: The gateway writes "xid" itself. Leave it out.'],
    [
      'a reference to nothing',
      { ...right, tenantId: "' or 1=1 --" },
      422,
      `/tenantId: There is no Tenant whose id is "' or 1=1 --".`,
    ],
    ['a value that is taken', { ...right, id: 'p1' }, 409, '/id: Another Port has the id "p1" already.'],
    ['no record', 'port', 422, ': A record is a JSON object.'],
    ['an empty list', [], 422, ': Send one record, or a list of 1 to 10000; this list has 0.'],
  ])('refuses %s', async (_title, document, status, mistake) => {
    const { call } = await withPort()
    const answer = await call('POST', '/apis/ports', document)
    expect(mistakesIn(answer)).toEqual([mistake])
    expect(answer.status).toBe(status)
    expect((await call('GET', '/apis/ports')).body).toHaveLength(1)
  })

  test('refuses a field without column', async () => {
    const { call } = await temporaryApis(
      definition('Port', { local: [field('note', 'string', { field_persistence: false })] }),
    )
    expect(mistakesIn(await call('POST', '/apis/ports', { note: 'x' }))).toEqual([
      '/note: This field is not stored: its field_persistence is false. Leave it out.',
    ])
    expect((await call('POST', '/apis/ports', {})).body).not.toHaveProperty('note')
  })

  test.each([
    '\'; drop table "Port"; --',
    '$$;',
    "\\'",
    '%27',
    '$' + '{1}',
    '"',
    '`',
    '\\',
    'a%_b*[',
    '\u202e',
    '😀',
    '"'.repeat(200),
  ])('keeps %j as it is', async (name) => {
    const { call } = await withPort()
    const { body } = await call('POST', '/apis/ports', { id: 'odd', name, portType: name })
    expect(body).toMatchObject({ name, portType: name })
    expect((await call('GET', `/apis/ports?name=${encodeURIComponent(name)}`)).body).toHaveLength(1)
    expect((await call('GET', '/apis/ports')).body).toHaveLength(2)
  })

  test('takes and shows a value of every type', async () => {
    const { call } = await temporaryApis(
      definition('All', {
        identifier: { field_type: 'integer' },
        local: [
          field('text', 'text'),
          field('whole', 'integer'),
          field('ratio', 'float'),
          field('price', 'decimal'),
          field('flag', 'boolean'),
          field('moment', 'DateTime'),
          field('day', 'Date'),
          field('list', 'array'),
          field('tree', 'object'),
        ],
      }),
    )
    const values = {
      id: 7,
      text: 'a\n"b"',
      whole: -5,
      ratio: 0.1,
      price: '12345678901234567890.5',
      flag: true,
      moment: '2026-01-31T08:30:00.25',
      day: '2026-01-31',
      list: [1, null, { a: 'é' }],
      tree: { b: [], a: 1 },
    }
    const sent = { ...values, moment: '2026-01-31T09:30:00.250+01:00' }
    expect((await call('POST', '/apis/alls', sent)).body).toMatchObject(values)
    expect((await call('GET', '/apis/alls/7')).body).toMatchObject(values)
    expect((await call('GET', '/apis/alls/7x')).status).toBe(404)
    expect(
      (
        await call(
          'GET',
          '/apis/alls?flag=true&price=12345678901234567890.50&moment=2026-01-31T08:30:00.25Z&whole=-5',
        )
      ).body,
    ).toHaveLength(1)
    expect((await call('GET', '/apis/alls?flag=false')).body).toHaveLength(0)
    expect(await call('POST', '/apis/alls', {})).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/id' }] },
    })
  })
})

describe('reading one', () => {
  test('answers 304 to who has it already', async () => {
    const { call } = await withPort()
    const etag = (await call('GET', '/apis/ports/p1')).headers.get('etag') ?? ''
    for (const header of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const answer = await call('GET', '/apis/ports/p1', undefined, { 'if-none-match': header })
      expect(answer).toMatchObject({ status: 304, body: '' })
      expect(answer.headers.get('etag')).toBe(etag)
    }
    expect((await call('GET', '/apis/ports/p1', undefined, { 'if-none-match': '"x"' })).status).toBe(200)
  })

  test('answers 412 to who wants another one than is there', async () => {
    const { call } = await withPort()
    expect((await call('GET', '/apis/ports/p1', undefined, { 'if-match': '"x"' })).status).toBe(412)
  })

  test.each(['p2', 'P1', 'p1%20', '%27%20or%201=1', '😀'])('%s is not found', async (id) => {
    const { call } = await withPort()
    expect(await call('GET', `/apis/ports/${id}`)).toMatchObject({
      status: 404,
      body: { code: 'RECORD_NOT_FOUND' },
    })
  })

  test('takes no parameters', async () => {
    const { call } = await withPort()
    expect((await call('GET', '/apis/ports/p1?name=x')).status).toBe(400)
  })
})

describe('replacing', () => {
  test('gives what was not sent its default or null, and keeps the identifier and what is immutable', async () => {
    const { call } = await withPort()
    await call('PATCH', '/apis/ports/p1', {
      operationStatus: 'Completed',
      isActivated: true,
      vlanRanges: [1],
    })
    const answer = await call('PUT', '/apis/ports/p1', { name: 'new' }, { 'x-xaas-xid': 'x2' })
    expect(answer).toMatchObject({
      status: 200,
      body: {
        xid: 'x2',
        xname: 'PUT /apis/ports/{id}',
        id: 'p1',
        name: 'new',
        isActivated: false,
        vlanRanges: [],
        portType: 'trunk',
        operationStatus: null,
        tenantId: null,
      },
    })
    expect((await call('GET', '/apis/ports/p1')).body).toEqual(answer.body)
  })

  test('takes the record as it was read', async () => {
    const { call } = await withPort()
    const { body } = await call('GET', '/apis/ports/p1')
    const answer = await call('PUT', '/apis/ports/p1', body, {
      'x-xaas-xid': body.xid,
      'x-xaas-xname': body.xname,
    })
    expect(answer).toMatchObject({ status: 200, body })
  })

  test('requires what has no default', async () => {
    const { call } = await withPort()
    expect(mistakesIn(await call('PUT', '/apis/ports/p1', {}))).toEqual([
      '/name: This field is required: it is not nullable and has no default.',
    ])
  })

  test('creates nothing', async () => {
    const { call } = await withPort()
    expect((await call('PUT', '/apis/ports/p9', { name: 'a', portType: 'x' })).status).toBe(404)
  })
})

describe('patching', () => {
  test('changes what was sent and nothing else', async () => {
    const { call } = await withPort()
    const before = (await call('GET', '/apis/ports/p1')).body
    const { body, status } = await call(
      'PATCH',
      '/apis/ports/p1',
      { tenantId: null, isActivated: true },
      { 'x-xaas-xid': 'x2' },
    )
    expect(status).toBe(200)
    expect(body).toEqual({
      ...before,
      xid: 'x2',
      xname: 'PATCH /apis/ports/{id}',
      tenantId: null,
      isActivated: true,
    })
  })

  test('takes a merge patch by its own media type, too', async () => {
    const { call } = await withPort()
    const headers = { 'content-type': 'application/merge-patch+json' }
    expect((await call('PATCH', '/apis/ports/p1', { name: 'n' }, headers)).body.name).toBe('n')
  })

  test('merges objects', async () => {
    const { call } = await temporaryApis(definition('Port', { local: [field('tags', 'object')] }))
    await call('POST', '/apis/ports', { id: 'p1', tags: { a: 1, b: { c: 2, d: 3 }, e: [1] } })
    const patch = { tags: { a: null, b: { c: 4 }, e: [2], f: { g: null } } }
    expect((await call('PATCH', '/apis/ports/p1', patch)).body.tags).toEqual({
      b: { c: 4, d: 3 },
      e: [2],
      f: {},
    })
    expect((await call('PATCH', '/apis/ports/p1', { tags: null })).body.tags).toBeNull()
  })

  test.each([
    [
      { portType: 'other' },
      422,
      '/portType: This field cannot be changed after the record is created; it is "trunk".',
    ],
    [{ id: 'p9' }, 422, '/id: This field cannot be changed after the record is created; it is "p1".'],
    [
      { instance: 'x' },
      422,
      '/instance: The gateway writes "instance" itself. Leave it out, or send it as it was read.',
    ],
    [{ name: null }, 422, '/name: This field must not be null.'],
    [{ tenantId: 't9' }, 422, '/tenantId: There is no Tenant whose id is "t9".'],
    [{ __typename: 'x' }, 422, /^\/__typename: There is no field/],
    [{ constructor: 'x' }, 422, /^\/constructor: There is no field/],
    [[], 422, ': A record is a JSON object.'],
  ])('by %j is refused', async (patch, status, mistake) => {
    const { call } = await withPort()
    const before = await call('GET', '/apis/ports/p1')
    const answer = await call('PATCH', '/apis/ports/p1', patch)
    expect(mistakesIn(answer)).toEqual([
      typeof mistake === 'string' ? mistake : expect.stringMatching(mistake),
    ])
    expect(answer.status).toBe(status)
    expect((await call('GET', '/apis/ports/p1')).body).toEqual(before.body)
  })

  test('accepts what is immutable when it is unchanged, whatever the order of its keys', async () => {
    const { call } = await temporaryApis(
      definition('Port', { local: [field('tags', 'object', { field_immutable: true })] }),
    )
    await call('POST', '/apis/ports', { id: 'p1', tags: { a: 1, b: 2 } })
    expect((await call('PATCH', '/apis/ports/p1', { tags: { b: 2 } })).status).toBe(200)
    expect((await call('PUT', '/apis/ports/p1', { tags: { b: 2, a: 1 } })).status).toBe(200)
    expect((await call('PATCH', '/apis/ports/p1', { tags: { b: 3 } })).status).toBe(422)
  })

  test('may give a new identifier where the definition lets it, but not one that is taken or referred to', async () => {
    const { call } = await temporaryApis([
      definition('Tenant'),
      definition('Port', { refs: [reference('tenantId', 'Tenant')] }),
    ])
    await call('POST', '/apis/tenants', [{ id: 't1' }, { id: 't2' }])
    await call('POST', '/apis/ports', { id: 'p1', tenantId: 't1' })
    expect(await call('PATCH', '/apis/tenants/t1', { id: 't3' })).toMatchObject({
      status: 409,
      body: { code: 'IN_USE' },
    })
    expect(await call('PATCH', '/apis/tenants/t2', { id: 't1' })).toMatchObject({
      status: 409,
      body: { code: 'VALUE_NOT_UNIQUE' },
    })
    expect(await call('PATCH', '/apis/tenants/t2', { id: 't3' })).toMatchObject({
      status: 200,
      body: { id: 't3' },
    })
    expect((await call('GET', '/apis/tenants/t2')).status).toBe(404)
  })
})

describe('conditions', () => {
  test.each(['PUT', 'PATCH', 'DELETE'])('%s of what has changed since is refused', async (method) => {
    const { call } = await withPort()
    const etag = (await call('GET', '/apis/ports/p1')).headers.get('etag') ?? ''
    const changed = await call('PATCH', '/apis/ports/p1', { name: 'second' }, { 'if-match': etag })
    expect(changed.status).toBe(200)
    const body = method === 'DELETE' ? undefined : { name: 'third' }
    const refused = await call(method, '/apis/ports/p1', body, { 'if-match': etag })
    expect(refused).toMatchObject({ status: 412, body: { code: 'PRECONDITION_FAILED' } })
    expect((await call('GET', '/apis/ports/p1')).body.name).toBe('second')
    const current = changed.headers.get('etag') ?? ''
    expect(
      (await call(method, '/apis/ports/p1', body, { 'if-match': `"x", ${current}` })).status,
    ).toBeLessThan(300)
  })

  test.each([
    ['PATCH', { name: 'new' }],
    ['PUT', { name: 'new' }],
    ['DELETE', undefined],
  ])('%s is refused where If-None-Match names what is there', async (method, body) => {
    const { call } = await withPort()
    const etag = (await call('GET', '/apis/ports/p1')).headers.get('etag') ?? ''
    for (const header of ['*', etag, `W/${etag}`]) {
      const refused = await call(method, '/apis/ports/p1', body, { 'if-none-match': header })
      expect(refused).toMatchObject({ status: 412, body: { code: 'PRECONDITION_FAILED' } })
    }
    const changed = await call(method, '/apis/ports/p1', body, { 'if-none-match': '"x"' })
    expect(changed.status).toBe(method === 'DELETE' ? 204 : 200)
  })

  test('of many writers with the same tag one wins', async () => {
    const { call } = await withPort()
    const etag = (await call('GET', '/apis/ports/p1')).headers.get('etag') ?? ''
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        call('PATCH', '/apis/ports/p1', { name: `n${index}` }, { 'if-match': etag }),
      ),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(412)])
  })
})

describe('removing', () => {
  test('works once', async () => {
    const { call } = await withPort()
    expect(await call('DELETE', '/apis/ports/p1')).toMatchObject({ status: 204, body: '' })
    expect((await call('DELETE', '/apis/ports/p1')).status).toBe(404)
  })

  test('is refused while others refer to the record', async () => {
    const { call } = await withPort()
    expect(await call('DELETE', '/apis/tenants/t1')).toMatchObject({
      status: 409,
      body: { code: 'IN_USE', detail: expect.stringMatching(/refer to this Tenant/) },
    })
    await call('DELETE', '/apis/ports/p1')
    expect((await call('DELETE', '/apis/tenants/t1')).status).toBe(204)
  })
})

describe('a list', () => {
  const names = ['a', 'b', '', 'b', 'c']
  async function withPorts(): Promise<TemporaryApis> {
    const apis = await temporaryApis(
      definition('Port', {
        local: [
          field('name', 'string'),
          field('speed', 'integer'),
          field('limit', 'integer'),
          field('on', 'boolean'),
        ],
      }),
    )
    await apis.call('POST', '/apis/ports', [
      ...names.map((name, index) => ({ id: `p${index}`, name, speed: index, limit: 5, on: index % 2 === 0 })),
      { id: 'p5' },
    ])
    return apis
  }
  const idsOf = ({ body }: { body: { id: string }[] }) => body.map(({ id }) => id).join(' ')
  const filters = (value: unknown) => `filters=${encodeURIComponent(JSON.stringify(value))}`

  test.each([
    ['', 'p0 p1 p2 p3 p4 p5'],
    ['id=p3', 'p3'],
    ['name=b', 'p1 p3'],
    ['name=a&name=c', 'p0 p4'],
    ['name=', 'p2'],
    ['name=B', ''],
    ['speed=3', 'p3'],
    ['on=true', 'p0 p2 p4'],
    ['on=false&name=b', 'p1 p3'],
    ["name=' or 1=1 --", ''],
    [filters([{ key: 'name', op: '==', val: null }]), 'p5'],
    [filters([{ key: 'limit', op: '==', val: 5 }]), 'p0 p1 p2 p3 p4'],
    [
      filters([
        [
          { key: 'speed', op: '>=', val: 4 },
          { key: 'name', op: 'starts', val: 'a' },
        ],
      ]),
      'p0 p4',
    ],
    [`name=b&${filters([{ key: 'on', op: '==', val: false }])}`, 'p1 p3'],
    ['desc=id', 'p5 p4 p3 p2 p1 p0'],
    ['asc=name&desc=id', 'p5 p2 p0 p3 p1 p4'],
    ['desc=name,id', 'p4 p3 p1 p0 p2 p5'],
    ['desc=name&desc=id', 'p4 p3 p1 p0 p2 p5'],
    ['offset=1&limit=2', 'p1 p2'],
    ['offset=5', 'p5'],
    ['limit=0', ''],
    ['first=2', 'p0 p1'],
    ['last=2', 'p4 p5'],
    ['limit=4&last=1', 'p3'],
  ])('?%s is %s', async (query, ids) => {
    const { call } = await withPorts()
    const answer = await call('GET', `/apis/ports?${query}`)
    expect(idsOf(answer)).toBe(ids)
    expect(answer.status).toBe(200)
  })

  test('is found by global ids', async () => {
    const { call } = await withPorts()
    const { body } = await call('GET', '/apis/ports/p2')
    const globalId = Buffer.from(`Port_:${body.instance}`).toString('base64')
    expect(idsOf(await call('GET', `/apis/ports?GlobalId=${encodeURIComponent(globalId)}`))).toBe('p2')
  })

  test.each([
    ['nmae=a', 'There is no parameter "nmae" here; did you mean "name"'],
    ['__proto__=a', 'There is no parameter "__proto__" here'],
    ['constructor=a', 'There is no parameter "constructor" here'],
    ['limt=5', 'did you mean "limit"'],
    ['speed=fast', 'speed: "speed" takes a whole number, not "fast".'],
    ['on=maybe', '"on" takes a whole number'],
    ['limit=-1', 'limit takes a whole number from 0 up, not "-1".'],
    ['limit=1&limit=2', 'limit may be sent only once.'],
    ['offset=x', 'offset takes a whole number from 0 up'],
    ['first=1.5', 'first takes a whole number from 0 up'],
    ['count=1', 'count takes true or false.'],
    ['after=abc', 'after takes a cursor as this API gave it.'],
    ['asc=nmae', 'asc[0] names the unknown field "nmae"; did you mean "name"'],
    ['asc=id%3B%20drop%20table%20x', 'names the unknown field "id; drop table x"'],
    ['filters=x', 'filters takes JSON such as'],
    ['filters=5', 'filters takes a list of filters'],
    [filters([{ key: 'name', op: 'LIKE', val: 'x' }]), 'filters[0].op takes one of'],
    [filters([{ key: 'nmae', op: '==', val: 'x' }]), 'names the unknown field "nmae"'],
    [`filters=${'['.repeat(500)}${']'.repeat(500)}`, 'is nested deeper than 20 groups.'],
  ])('?%s is refused', async (query, detail) => {
    const { call } = await withPorts()
    const answer = await call('GET', `/apis/ports?${query}`)
    expect(answer.status).toBe(400)
    expect(answer.body.detail).toContain(detail)
  })

  test('says how many records match when asked', async () => {
    const { call } = await withPorts()
    expect((await call('GET', '/apis/ports?name=b&limit=1&count=true')).headers.get('x-total-count')).toBe(
      '2',
    )
    expect((await call('GET', '/apis/ports')).headers.get('x-total-count')).toBeNull()
  })

  test.each([
    ['limit=2', 'p0 p1|p2 p3|p4 p5'],
    ['limit=4&desc=id', 'p5 p4 p3 p2|p1 p0'],
    ['offset=1&limit=3&on=true', 'p2 p4'],
    ['first=2', 'p0 p1|p2 p3|p4 p5'],
    ['first=4&asc=name', 'p5 p2 p0 p1|p3 p4'],
    ['first=2&name=b&name=a', 'p0 p1|p3'],
    ['first=2&offset=1&limit=3', 'p1 p2|p3'],
    ['last=4', 'p2 p3 p4 p5|p0 p1'],
    ['limit=6', 'p0 p1 p2 p3 p4 p5'],
    ['limit=0', ''],
  ])('?%s has links to the pages beside it', async (query, pages) => {
    const { call } = await withPorts()
    const seen: string[] = []
    let path: string | undefined = `/apis/ports?${query}`
    while (path !== undefined) {
      const answer = await call('GET', path)
      seen.push(idsOf(answer))
      path = /^<(.+)>; rel="(?:next|prev)"$/.exec(answer.headers.get('link') ?? '')?.[1]
    }
    expect(seen.join('|')).toBe(pages)
  })
})

test('paths and methods that are not there', async () => {
  const { call } = await withPort()
  expect(await call('GET', '/apis/port')).toMatchObject({
    status: 404,
    body: { detail: 'No entity is published at /apis/port; did you mean "ports".' },
  })
  expect((await call('GET', '/apis/ports/p1/name')).status).toBe(404)
  expect((await call('GET', '/apis/ports/')).status).toBe(404)
  const put = await call('PUT', '/apis/ports', {})
  expect(put.status).toBe(405)
  expect(put.headers.get('allow')).toBe('GET, POST, HEAD')
  expect((await call('POST', '/apis/ports/p1', {})).status).toBe(405)
})

test('10,000 records come and go in one call each', async () => {
  const { call } = await temporaryApis(definition('Port', { local: [field('tags', 'array')] }))
  const records = Array.from({ length: 10_000 }, (_, index) => ({ id: `p${index}`, tags: [index] }))
  expect((await call('POST', '/apis/ports', records)).status).toBe(201)
  const { body } = await call('GET', '/apis/ports')
  expect(body).toHaveLength(10_000)
  expect(body[9_999]).toMatchObject({ id: 'p9999', tags: [9_999] })
})
