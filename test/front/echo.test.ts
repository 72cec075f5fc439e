import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { echoOf } from '../support/echo-template.ts'
import { TestBrowser } from '../support/test-browser.ts'
import { startTestFront, type TestFront } from '../support/test-front.ts'

const templates = {
  ports: {
    format: 'csv',
    text: 'name,tags,created\n{{#each ports}}{{name}},"{{tags.[0]}} {{note}}",{{date created "dd.MM.yyyy"}}\n{{/each}}',
    schema: {
      type: 'object',
      required: ['ports'],
      properties: {
        ports: {
          type: 'array',
          items: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
        },
      },
    },
  },
  letter: {
    format: 'html',
    text: '<h1>{{title}}</h1>{{#if note}}<p title="{{note}}">{{note}}</p>{{/if}}',
    defaults: { title: 'Dear all' },
  },
  config: {
    format: 'json',
    text: '{"name": {{name}}, "path": "/a/{{name}}", "list": [{{#each list}}{{#unless @first}}, {{/unless}}{{this}}{{/each}}]}',
  },
  feed: { format: 'xml', text: '<?xml version="1.0"?><f a="{{a}}">{{a}}</f>' },
  notes: { format: 'md', text: '# {{title}}\n\n| {{a}} |\n' },
  plain: { format: 'txt', text: '{{a}}\n' },
  mark: { format: 'svg', text: '<svg xmlns="http://www.w3.org/2000/svg"><text>{{a}}</text></svg>' },
  event: {
    format: 'txt',
    extension: 'ics',
    contentType: 'text/calendar; charset=utf-8',
    text: 'SUMMARY:{{a}}',
  },
  fixed: { format: 'txt', engine: 'plain', text: '{{as it is}}' },
  huge: { format: 'csv', text: 'n,text\n{{#each rows}}{{n}},{{text}}\n{{/each}}end,\n' },
}

let running: TestFront
let browser: TestBrowser
beforeAll(async () => {
  running = await startTestFront({ bodyLimitBytes: 10_485_760, echo: echoOf({ templates }) })
  browser = new TestBrowser(running.url)
})
afterAll(() => running?.close())

const make = (template: string, params: unknown = {}, filename?: string) =>
  browser.request('/echo', { method: 'POST', json: { template, params, ...(filename ? { filename } : {}) } })

describe('/echo', () => {
  test.each([
    [
      'a file',
      [
        ['template', 'letter'],
        ['params', new File(['{}'], 'params.json')],
      ],
      'The field "params" holds a file. Send the fields as texts, without a file name.',
    ],
    [
      'a field twice',
      [
        ['template', 'letter'],
        ['template', 'plain'],
      ],
      'Send each field of the form once.',
    ],
    [
      'very many fields',
      Array.from({ length: 5000 }, (_, index) => [`f${index}`, 'x'] as const),
      'Send at most 10 fields.',
    ],
  ] as const)('refuses a multipart form with %s', async (_what, multipart, detail) => {
    const { status, body } = await browser.request('/echo', { multipart })
    expect([status, body.code, body.detail]).toEqual([400, 'BODY_UNREADABLE', detail])
  })

  test('refuses a multipart form that has no boundary or no end', async () => {
    const send = async (contentType: string, body: string) => {
      const response = await fetch(`${running.url}/echo`, {
        method: 'POST',
        headers: { 'content-type': contentType },
        body,
      })
      const { code, detail } = (await response.json()) as { code: string; detail: string }
      return [response.status, code, detail]
    }
    const part = '--b\r\ncontent-disposition: form-data; name="template"\r\n\r\nletter'
    expect(await send('multipart/form-data', part)).toEqual([
      400,
      'BODY_UNREADABLE',
      'The Content-Type of a form needs a boundary: multipart/form-data; boundary=…',
    ])
    expect(await send('multipart/form-data; boundary=b', part)).toEqual([
      400,
      'BODY_UNREADABLE',
      'The form is not valid multipart/form-data.',
    ])
  })

  test('answers GET, a JSON body and both kinds of forms alike', async () => {
    const params = { title: 'Für <alle>', note: '"x"' }
    const query = new URLSearchParams({
      template: 'letter',
      params: JSON.stringify(params),
      filename: 'Brief 1.html',
    })
    const answers = [
      await browser.get(`/echo?${query}`),
      await browser.request('/echo', { form: Object.fromEntries(query) }),
      await browser.request('/echo', { multipart: [...query] }),
      await make('letter', params, 'Brief 1.html'),
    ]
    for (const { status, headers, text } of answers) {
      expect(status).toBe(200)
      expect(text).toBe('<h1>Für &lt;alle&gt;</h1><p title="&quot;x&quot;">&quot;x&quot;</p>')
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'content-disposition': 'attachment; filename="Brief 1.html"',
        'content-security-policy': "sandbox; default-src 'none'",
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
        deprecation: '@1767225600',
      })
    }
  })

  test.each([
    [
      'ports',
      { ports: [{ name: '=1+1', tags: ['+a"'], note: 'b', created: '2026-11-21T23:30:00' }] },
      'ports.csv',
      'text/csv; charset=utf-8',
      `name,tags,created\n'=1+1,"'+a"" b",21.11.2026\n`,
    ],
    [
      'config',
      { name: 'a"</script>', list: [1, 'x', null, { b: true }] },
      'config.json',
      'application/json',
      String.raw`{"name": "a\"\u003c/script\u003e", "path": "/a/a\"\u003c/script\u003e", "list": [1, "x", null, {"b":true}]}`,
    ],
    [
      'feed',
      { a: `<&>"'\u0001` },
      'feed.xml',
      'application/xml; charset=utf-8',
      '<?xml version="1.0"?><f a="&lt;&amp;&gt;&quot;&#39;\ufffd">&lt;&amp;&gt;&quot;&#39;\ufffd</f>',
    ],
    [
      'notes',
      { title: 'a\n# b', a: '|<b>[x](y)' },
      'notes.md',
      'text/markdown; charset=utf-8',
      '# a \\# b\n\n| \\|&lt;b&gt;\\[x\\]\\(y\\) |\n',
    ],
    ['plain', { a: 'ä\u001b[31m<>' }, 'plain.txt', 'text/plain; charset=utf-8', 'ä[31m<>\n'],
    [
      'mark',
      { a: '<script/>' },
      'mark.svg',
      'image/svg+xml; charset=utf-8',
      '<svg xmlns="http://www.w3.org/2000/svg"><text>&lt;script/&gt;</text></svg>',
    ],
    ['event', { a: 'x' }, 'event.ics', 'text/calendar; charset=utf-8', 'SUMMARY:x'],
    ['fixed', {}, 'fixed.txt', 'text/plain; charset=utf-8', '{{as it is}}'],
  ])('writes %s with values escaped for their kind', async (template, params, name, type, text) => {
    const answer = await make(template, params)
    expect([answer.status, answer.text]).toEqual([200, text])
    expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="${name}"`)
    expect(answer.headers.get('content-type')).toBe(type)
  })

  test('says which param breaks the schema', async () => {
    const answer = await make('ports', { ports: [{ name: 'a' }, { name: 1 }, {}] })
    expect([answer.status, answer.body.code, answer.body.errors]).toEqual([
      400,
      'PARAMETER_INVALID',
      [
        { pointer: '/params/ports/1/name', detail: 'This must be string.' },
        { pointer: '/params/ports/2/name', detail: 'This is required.' },
      ],
    ])
  })

  test('K1: only configured templates, by name', async () => {
    for (const name of [
      '../../etc/passwd',
      '/etc/passwd',
      'http://localhost/',
      'constructor',
      '__proto__',
      'toString',
    ]) {
      const { status, body, headers } = await make(name)
      expect([status, body.code, headers.get('deprecation')]).toEqual([
        404,
        'TEMPLATE_UNKNOWN',
        '@1767225600',
      ])
    }
  })

  test('K2: params are never a template', async () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a param that looks like code
    const hostile = "{{7*7}} <%= 7*7 %> ${7*7} {{constructor.constructor('return process')()}} {{#with}}"
    expect((await make('plain', { a: hostile })).text).toBe(`${hostile}\n`)
    const params = JSON.parse(`{"a": {"constructor": "c", "toString": "t"}}`)
    expect((await make('plain', params)).text).toBe('{"constructor":"c","toString":"t"}\n')
  })

  test.each([
    ['a"b', 'attachment; filename="ab.txt"'],
    ['日本.txt', `attachment; filename="__.txt"; filename*=UTF-8''%E6%97%A5%E6%9C%AC.txt`],
    ["it's (1)*.TXT", `attachment; filename="it's (1).txt"`],
    ['x\r\nSet-Cookie: a=b', 'attachment; filename="xSet-Cookie a=b.txt"'],
    ['a\0b.txt', 'attachment; filename="ab.txt"'],
    ['../../x/y.txt', 'attachment; filename="y.txt"'],
    ['..\\..\\y.txt', 'attachment; filename="y.txt"'],
    ['a\u202etxt.exe\u202c.txt', 'attachment; filename="atxt.exe.txt"'],
    ['....', 'attachment; filename="plain.txt"'],
    ['.txt', 'attachment; filename="plain.txt"'],
    ['con.txt', 'attachment; filename="_con.txt"'],
    ['100%.txt', `attachment; filename="100_.txt"; filename*=UTF-8''100%25.txt`],
    ['\ud800.txt', `attachment; filename="_.txt"; filename*=UTF-8''%EF%BF%BD.txt`],
    [`${'x'.repeat(500)}.txt`, `attachment; filename="${'x'.repeat(196)}.txt"`],
  ])('K4: the name %j is made harmless', async (filename, header) => {
    const answer = await make('plain', {}, filename)
    expect([answer.status, answer.headers.get('content-disposition')]).toEqual([200, header])
    expect(answer.headers.get('set-cookie')).toBe(null)
  })

  test.each(['a.exe', '..\\..\\a.exe', 'a.html', 'a.txt.html', 'a.pdf'])(
    'K4: %s is not what the template makes',
    async (filename) => {
      const answer = await make('plain', {}, filename)
      expect([answer.status, answer.body.errors]).toEqual([
        400,
        [{ pointer: '/filename', detail: 'The ending has to be one of .txt.' }],
      ])
    },
  )

  test.each([
    ['{', 400, 'BODY_UNREADABLE'],
    ['', 400, 'BODY_UNREADABLE'],
    ['[]', 400, 'PARAMETER_INVALID'],
    ['{}', 400, 'PARAMETER_INVALID'],
    ['{"template":["plain"]}', 400, 'PARAMETER_INVALID'],
    ['{"template":"plain","params":[]}', 400, 'PARAMETER_INVALID'],
    ['{"template":"plain","params":"{"}', 400, 'PARAMETER_INVALID'],
    ['{"template":"plain","params":{"__proto__":{"a":1}}}', 400, 'BODY_UNREADABLE'],
    ['{"template":"plain","other":1}', 400, 'PARAMETER_INVALID'],
    ['{"template":"plain","filename":1}', 400, 'PARAMETER_INVALID'],
  ])('refuses %s', async (body, status, code) => {
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(`${running.url}/echo`, { method: 'POST', headers, body })
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([status, code])
  })

  test.each(['template=plain&template=plain', 'template=plain&params=%ff', '', 'template=plain&x=1'])(
    'refuses the query %j',
    async (query) => {
      expect((await browser.get(`/echo?${query}`)).status).toBe(400)
    },
  )

  test('streams 100,000 rows, and refuses 1,000,000', async () => {
    const rows = Array.from({ length: 100_000 }, (_, n) => ({ n, text: `row ${n}, "x" of many` }))
    const answer = await make('huge', { rows })
    const lines = answer.text.split('\n')
    expect([lines.length, lines[0], lines[1], lines[100_000], lines[100_001]]).toEqual([
      100_003,
      'n,text',
      '0,"row 0, ""x"" of many"',
      '99999,"row 99999, ""x"" of many"',
      'end,',
    ])
    const million = Array.from({ length: 1_000_000 }, (_, n) => ({ n, text: 'row' }))
    expect((await make('huge', { rows: million })).body.code).toBe('BODY_TOO_LARGE')
  })

  test('K6: pages of other sites cannot order files', async () => {
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.example' },
      { referer: 'https://evil.example/x' },
    ]) {
      expect((await browser.get('/echo?template=plain', headers)).body.code).toBe('CROSS_SITE_REFUSED')
    }
    expect((await browser.get('/echo?template=plain', { 'sec-fetch-site': 'same-origin' })).status).toBe(200)
  })

  test('other methods are answered with those there are', async () => {
    const answer = await browser.request('/echo', { method: 'DELETE' })
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, POST, HEAD'])
  })
})
