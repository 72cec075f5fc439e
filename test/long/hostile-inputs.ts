/** Inputs that grow, of every kind that has once taken more time than it is long. */

/** Bytes of a body; `size` is about how many. */
export const bodies: Readonly<Record<string, (size: number) => Buffer>> = {
  'unknown keys': (size) => text(`{${list(size / 12, (index) => `"k${index}":1`)}}`),
  'keys like known ones': (size) => text(`{${list(size / 20, (index) => `"usernam${index}":1`)}}`),
  'a long key': (size) => text(`{"${'k'.repeat(size)}":1}`),
  'a long text': (size) =>
    text(`{"username":"${'k'.repeat(size / 2)}","password":"${'é'.repeat(size / 4)}"}`),
  'combining marks': (size) =>
    text(`{"username":"a${'\u0300\u0316'.repeat(size / 8)}","name":"a${'\u0300\u0316'.repeat(size / 8)}"}`),
  escapes: (size) => text(`["${'\\"'.repeat(size / 4)}","${'\\u0041'.repeat(size / 12)}"]`),
  'deep lists': (size) => text('['.repeat(size / 2) + ']'.repeat(size / 2)),
  'deep objects': (size) => text(`${'{"a":'.repeat(size / 6)}1${'}'.repeat(size / 6)}`),
  'many lists': (size) => text(`[${list(size / 3, () => '[]')}]`),
  'many objects': (size) => text(`[${list(size / 3, () => '{}')}]`),
  'many numbers': (size) => text(`[${list(size / 2, () => '1')}]`),
  'precise numbers': (size) => text(`[${list(size / 24, (index) => `0.1234567890123${index}`)}]`),
  'a long number': (size) => text(`[1${'0'.repeat(size)}1]`),
  'a key twice': (size) => text(`{${list(size / 12, (index) => `"k${index}":1`)},"k0":1}`),
  'keys like indexes': (size) =>
    text(`{${list(size / 14, (index) => `"${(index * 7919) % 99_999_989}":1`)}}`),
  'invalid UTF-8': (size) => Buffer.concat([Buffer.alloc(size, '{"a": "é'), Buffer.from([0xff])]),
  'broken at the end': (size) => text(`[${list(size / 20, (index) => `{"id":"r${index}"}`)}}`),
  blanks: (size) => text(`${' '.repeat(size)}{}`),
  records: (size) =>
    text(
      `[${list(size / 80, (index) => JSON.stringify({ id: `r${index}`, name: 'x'.repeat(40), count: index }))}]`,
    ),
  'records with mistakes': (size) =>
    text(
      `[${list(size / 40, (index) => JSON.stringify({ id: index, nam: 'x', price: `1.${'0'.repeat(index % 20)}` }))}]`,
    ),
  'a large record': (size) => text(`{"id":"large","name":"x","more":[${list(size / 4, () => '{}')}]}`),
  definitions: (size) =>
    text(
      `[${list(Math.min(1001, size / 300), (index) => JSON.stringify({ name: `N${index}`, attributes: { identifier: { field_name: 'id', field_type: 'string' }, local_fields: fields(Math.min(30, size / 3000)) } }))}]`,
    ),
  'a wide definition': (size) =>
    text(
      JSON.stringify({
        name: 'Wide',
        attributes: {
          identifier: { field_name: 'id' },
          local_fields: fields(size / 60),
          ref_fields: fields(size / 60),
        },
      }),
    ),
  'authorities of large patterns': (size) =>
    text(
      JSON.stringify({
        name: 'hostile',
        authorities: patterns(size / 60).map((regex) => ({ regex, methods: ['GET'] })),
      }),
    ),
  'many roles of an account': (size) =>
    text(
      JSON.stringify({
        username: 'new',
        password: 'p'.repeat(size / 2),
        role: Array(Math.floor(size / 20)).fill('role1'),
      }),
    ),
}

/** Documents for GraphQL. */
export const graphqlDocuments: Readonly<Record<string, (size: number) => string>> = {
  'one-field fragments': (size) =>
    `{${list(size / 40, (n) => `...F${n}`, ' ')}} ${list(size / 40, (n) => `fragment F${n} on Query {__typename}`, ' ')}`,
  'fragments of one another': (size) =>
    `{...F0} ${list(size / 40, (n) => `fragment F${n} on Query {...F${n + 1} __typename}`, ' ')}`,
  'fragments in a circle': (size) =>
    `{...F0} ${list(size / 40, (n) => `fragment F${n} on Query {...F${(n + 1) % 100} ...F0}`, ' ')}`,
  'one field again and again': (size) => `{__typename ${'Thing1x{edges{node{id}}}'.repeat(size / 24)}}`,
  'fields in fields twice': (size) => nested(Math.min(11, Math.log2(size / 20))),
  aliases: (size) => `{${list(size / 14, (n) => `a${n}:__typename`, ' ')}}`,
  'aliases with arguments': (size) => `{${list(size / 40, (n) => `a:Thing1x(id:"${n}"){totalCount}`, ' ')}}`,
  'unknown fields': (size) => `{${list(size / 10, (n) => `Thing1${n}x`, ' ')}}`,
  'unknown types': (size) => list(size / 40, (n) => `query Q${n}($v:Thing1Filtre${n}){__typename}`, ' '),
  'unknown arguments': (size) => `{Thing1x(${list(size / 10, (n) => `nam${n}:1`)}){totalCount}}`,
  'a long name': (size) => `{${'Thing1'.repeat(size / 6)}}`,
  'long unknown names': (size) => `{${list(size / 62, (n) => `Thing${'1'.repeat(55)}${n}`, ' ')}}`,
  variables: (size) => `query(${list(size / 24, (n) => `$v${n}:String=""`)}){__typename}`,
  'variables used': (size) =>
    `query(${list(size / 40, (n) => `$v${n}:String`)}){Thing1x(id:[${list(size / 40, (n) => `$v${n}`)}]){totalCount}}`,
  'operations and fragments': (size) =>
    `${list(size / 60, (n) => `query Q${n}($a:String){...F0 x:Thing1x(id:$a){totalCount}}`, ' ')} ${list(size / 60, (n) => `fragment F${n} on Query {...F${n + 1}}`, ' ')}`,
  directives: (size) => `{__typename ${'@skip(if:true)'.repeat(size / 14)}}`,
  'a long list': (size) =>
    `{Thing1x(filters:[${list(size / 40, (n) => `{key:"name",op:"==",val:"${n}"}`)}]){totalCount}}`,
  'a deep list': (size) => `{Thing1x(filters:${'['.repeat(size / 2)}${']'.repeat(size / 2)}){totalCount}}`,
  'deep fields': (size) => `{${'a{'.repeat(size / 3)}b${'}'.repeat(size / 3)}}`,
  comments: (size) => `{__typename} ${'#\n'.repeat(size / 2)}`,
  'blanks and a mistake': (size) => `{__typename ${'\n'.repeat(size)} "`,
  'a long text': (size) => `{Thing1x(id:"${'x'.repeat(size)}"){totalCount}}`,
  'a block of text': (size) => `{Thing1x(id:"""${' \n'.repeat(size / 2)}"""){totalCount}}`,
}

/** The query of a request, as long as a server takes. */
export const queries: Readonly<Record<string, string>> = {
  'many parameters': list(3000, (index) => `k${index}=1`, '&'),
  'one parameter again and again': list(3000, () => 'id=1', '&'),
  'a long value': `limit=${'9'.repeat(14_000)}`,
  'a long name': `${'k'.repeat(14_000)}=1`,
  'many blanks': `asc=${'%20'.repeat(4600)}`,
  'many commas': `asc=${','.repeat(14_000)}`,
  filters: `filters=${'['.repeat(14_000)}`,
  'many filters':
    `filters=${encodeURIComponent(`[${list(250, (n) => `{"key":"name","op":"==","val":"${n}"}`)}]`)}`.slice(
      0,
      15_000,
    ),
  ampersands: '&'.repeat(14_000),
}

/** Headers of a request, as long as a server takes. */
export const headers: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  cookies: { cookie: list(3500, (index) => `a${index % 10}`, ';') },
  accept: { accept: list(2000, (index) => `a/b;q=0.${index % 10}`).slice(0, 14_000) },
  'accept-encoding': { 'accept-encoding': list(3000, (index) => `x${index}`).slice(0, 14_000) },
  token: { authorization: `Bearer ${' '.repeat(7000)}${'x'.repeat(7000)}` },
  'if-match': { 'if-match': list(3000, () => '"a"').slice(0, 14_000) },
  'idempotency-key': { 'idempotency-key': `"${'\\"'.repeat(7000)}"` },
  'many headers': Object.fromEntries(Array.from({ length: 900 }, (_, index) => [`x-${index}`, '1'])),
}

function nested(depth: number): string {
  const level = (left: number): string =>
    left <= 0 ? 'id' : `otherRef{${level(left - 1)}} otherRef{${level(left - 1)}}`
  return `{Thing1x{edges{node{${level(Math.floor(depth))}}}}}`
}

function fields(count: number): readonly object[] {
  return Array.from({ length: Math.floor(count) }, (_, index) => ({
    field_name: `f${index}`,
    field_type: 'strin',
  }))
}

function patterns(count: number): readonly string[] {
  const large = [
    '\\p{Greek}{300}',
    '[\\p{L}\\p{N}]{200}x',
    '(a|b|c|d|e){100}f',
    '.*a.{10}',
    '(.*a){25}',
    '\\pL{400}',
    '(?i)\\p{Lu}{150}',
  ]
  return Array.from({ length: Math.floor(count) }, (_, index) => `/x${index}${large[index % large.length]}`)
}

function list(count: number, item: (index: number) => string, separator = ','): string {
  return Array.from({ length: Math.floor(count) }, (_, index) => item(index)).join(separator)
}

function text(content: string): Buffer {
  return Buffer.from(content)
}
