import { spawnSync } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { runProgram } from '../../src/bin/program.ts'
import { createMetrics } from '../../src/observe/metrics.ts'
import type { ProviderSettings } from '../../src/web-front/login/provider-settings.ts'
import { echoOf, readEcho } from '../support/echo-template.ts'
import { recordedInvocation } from '../support/recorded-invocation.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { TestBrowser } from '../support/test-browser.ts'
import { startTestFront, type TestFrontSettings } from '../support/test-front.ts'

const program = fileURLToPath(new URL('../../dist/bin/gatehouse.js', import.meta.url))

async function folderWith(files: Readonly<Record<string, string>>) {
  const folder = await temporaryFolder()
  onTestFinished(() => folder.remove())
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder.path, name), text)
  return (name: string) => join(folder.path, name)
}

async function start(settings: TestFrontSettings) {
  const running = await startTestFront(settings)
  onTestFinished(() => running.close())
  return { running, browser: new TestBrowser(running.front.baseUrl) }
}

test('templates and partials come from files, and are read again when they change', async () => {
  const at = await folderWith({ 'letter.html.hbs': '{{> head}} one', 'head.html': '<h1>{{title}}</h1>' })
  const echo = {
    reload: true,
    partials: { head: { file: at('head.html') } },
    templates: { letter: { file: at('letter.html.hbs'), defaults: { title: 'a' } } },
  }
  const { running, browser } = await start({ echo: echoOf(echo) })
  const letter = async () => (await browser.get('/echo?template=letter')).body
  expect(await letter()).toBe('<h1>a</h1> one')
  await writeFile(at('head.html'), '<h2>{{title}}</h2> longer')
  expect(await letter()).toBe('<h2>a</h2> longer one')
  await writeFile(at('letter.html.hbs'), '{{#if}')
  expect(await letter()).toMatchObject({
    status: 500,
    code: 'TEMPLATE_FAILED',
    detail: /^template letter: Parse error on line 1/,
  })
  await writeFile(at('letter.html.hbs'), 'two {{title}}')
  expect(await letter()).toBe('two a')
  const reloads = running.events.filter(({ kind }) => kind === 'TemplatesReloaded')
  expect(reloads).toEqual([
    { kind: 'TemplatesReloaded', mistakes: [] },
    { kind: 'TemplatesReloaded', mistakes: [expect.stringMatching(/^template letter: Parse error/)] },
    { kind: 'TemplatesReloaded', mistakes: [] },
  ])
})

test('without reload files are read at the start only', async () => {
  const at = await folderWith({ 'a.txt': 'one' })
  const { browser } = await start({ echo: echoOf({ templates: { a: { file: at('a.txt') } } }) })
  await writeFile(at('a.txt'), 'another')
  expect((await browser.get('/echo?template=a')).body).toBe('one')
})

test('templates that cannot be used stop the start, with every mistake', async () => {
  const templates = {
    gone: { file: '/nowhere/a.txt' },
    broken: { format: 'txt', text: '{{#each}}' },
    wrong: { format: 'txt', text: 'x', schema: { type: 'objekt' } },
    edge: { format: 'html', text: 'x', page: { footer: '{{> none}}' } },
  }
  const failure = await startTestFront({ echo: echoOf({ templates }) }).catch((error: unknown) => error)
  expect(failure).toMatchObject({ code: 'TEMPLATES_UNUSABLE' })
  const lines = (failure as { detail: string }).detail.split('\n').filter((line) => /^template /.test(line))
  expect(lines).toEqual([
    'template gone: the file "/nowhere/a.txt" does not exist',
    expect.stringMatching(/^template broken: Parse error/),
    expect.stringMatching(/^template wrong, schema: schema is invalid/),
    'template edge, page.footer: line 1: there is no partial "none"',
  ])
})

test.each([
  [
    { a: { text: 'x' } },
    'echo.templates.a: needs format; the extension of its file does not say which it is',
  ],
  [{ a: { format: 'txt' } }, 'echo.templates.a: needs file or text, one of them'],
  [
    { a: { file: 'a.csv', outputs: ['pdf'] } },
    'echo.templates.a: outputs: pdf cannot be made from csv; csv can',
  ],
  [
    { a: { file: 'a.csv', formt: 'csv' } },
    'gatehouse.yaml line 1: front.echo.templates.a.formt: unknown key; did you mean format?',
  ],
  [
    { a: { file: 'a.html', page: { size: 'A9' } } },
    /^gatehouse.yaml line 1: front.echo.templates.a.page.size: takes A3, A4/,
  ],
  [{ '../a': { file: 'a.html' } }, /a name has letters, digits/],
])('a configuration that cannot be is refused: %j', (templates, mistake) => {
  let mistakes: readonly string[] = []
  try {
    mistakes = readEcho({ templates }).mistakes
  } catch (error) {
    mistakes = (error as { mistakes: readonly string[] }).mistakes
  }
  expect(mistakes).toEqual([typeof mistake === 'string' ? mistake : expect.stringMatching(mistake)])
})

test('K6: where people log in, files are for those who have', async () => {
  const at = await folderWith({
    'login.mjs': `export default () => ({
      begin: async ({ redirectUri, state }) => ({ url: redirectUri + '?state=' + state, kept: {} }),
      complete: async () => ({ account_id: 'ada', properties: {} }),
    })`,
  })
  const provider: ProviderSettings = {
    name: 'mine',
    label: 'Mine',
    transparentTokens: false,
    strategy: { kind: 'module', module: { path: at('login.mjs'), settings: {} } },
  }
  const echo = echoOf({ templates: { a: { format: 'txt', text: 'for {{name}}' } } })
  const { browser } = await start({ providers: [provider], echo })
  const refused = await browser.get('/echo?template=a')
  expect([refused.status, refused.body.code, refused.body.login]).toEqual([
    401,
    'LOGIN_REQUIRED',
    '/auth/mine',
  ])
  expect((await browser.request('/echo', { form: { template: 'a' } })).status).toBe(401)
  await browser.follow('/auth/mine')
  expect((await browser.request('/echo', { form: { template: 'a', params: '{"name":"Ada"}' } })).text).toBe(
    'for Ada',
  )
  const crossSite = { 'sec-fetch-site': 'cross-site' }
  expect((await browser.get('/echo?template=a', crossSite)).status).toBe(403)
})

test('what was made, and what was not, is told with its figures', async () => {
  const templates = { a: { format: 'txt', text: 'äb' }, d: { format: 'txt', text: '{{date d}}' } }
  const { running, browser } = await start({ echo: echoOf({ templates }) })
  await browser.get('/echo?template=a')
  await browser.get('/echo?template=b')
  const wrong = await browser.request('/echo', {
    json: { template: 'd', params: { d: 'x' } },
    method: 'POST',
  })
  expect(wrong.body.errors).toEqual([
    { pointer: '/params', detail: '"date" takes a date such as 2026-11-21T14:00:00Z, not "x".' },
  ])
  const told = { milliseconds: expect.any(Number), requestId: expect.any(String) }
  expect(running.events.filter(({ kind }) => /^File/.test(kind))).toEqual([
    { kind: 'FileMade', template: 'a', format: 'txt', bytes: 3, waitedMilliseconds: 0, others: 0, ...told },
    { kind: 'FileFailed', code: 'TEMPLATE_UNKNOWN', ...told },
    { kind: 'FileFailed', template: 'd', code: 'PARAMETER_INVALID', ...told },
  ])
  const metrics = createMetrics()
  for (const event of running.events) metrics.observe(event)
  const lines = (await metrics.text())
    .split('\n')
    .filter((line) => /^gatehouse_file_.*(count|total)/.test(line))
  expect(lines).toEqual([
    'gatehouse_file_duration_seconds_count{template="a",format="txt"} 1',
    'gatehouse_file_wait_seconds_count 1',
    'gatehouse_file_failures_total{code="TEMPLATE_UNKNOWN"} 1',
    'gatehouse_file_failures_total{code="PARAMETER_INVALID"} 1',
  ])
})

test('gatehouse echo makes a file, or says why it does not', async () => {
  const at = await folderWith({ 'params.json': '{"title": "<A>"}', 'bad.json': '{' })
  await mkdir(at('out'))
  const { readFileSync } = await import('node:fs')
  const config = {
    front: {
      echo: {
        templates: {
          letter: { format: 'html', text: '<h1>{{title}}</h1>', schema: { required: ['title'] } },
        },
      },
    },
  }
  await writeFile(at('gatehouse.yaml'), JSON.stringify(config))
  const run = async (...words: readonly string[]) => {
    const invocation = recordedInvocation('echo', ...words)
    const code = await runProgram({ ...invocation, readText: (path) => readFileSync(path, 'utf8') })
    return [code, invocation.errors.join('\n')]
  }
  const file = ['--config', at('gatehouse.yaml')]
  expect(await run('letter', ...file, '--params', at('params.json'), '--out', at('out/a.html'))).toEqual([
    0,
    '',
  ])
  expect(readFileSync(at('out/a.html'), 'utf8')).toBe('<h1>&lt;A&gt;</h1>')
  expect(await run('letter', ...file, '--out', at('out/b.html'))).toEqual([
    1,
    'A request parameter is not valid.\n/params/title: This is required.',
  ])
  expect(await run('other', ...file, '--out', at('out/b.html'))).toEqual([
    1,
    expect.stringMatching(
      /^There is no template ".*Templates are the keys under echo.templates in the configuration.$/,
    ),
  ])
  expect(await run('letter', ...file, '--out', at('out/b.exe'))).toEqual([
    1,
    'A request parameter is not valid.\n/filename: The ending has to be one of .html, .htm, .pdf, .png, .jpeg, .jpg.',
  ])
  expect(await run('letter', ...file, '--params', at('bad.json'), '--out', 'x.html')).toEqual([
    2,
    expect.stringMatching(/^--params: .* has no JSON/),
  ])
  expect(await run('--out', 'x.html')).toEqual([
    2,
    expect.stringMatching(/^echo: takes the name of a template first/),
  ])
  expect(await run('letter', ...file)).toEqual([2, expect.stringMatching(/out/)])
})

test('K10: without the library a pdf says what to install, and texts are made', async () => {
  const without = `import { registerHooks } from 'node:module'
    registerHooks({
      resolve(specifier, context, next) {
        if (specifier === 'playwright-core') throw new Error('Cannot find package')
        return next(specifier, context)
      },
    })`
  const config = { front: { echo: { templates: { a: { format: 'html', text: 'x' } } } } }
  const at = await folderWith({ 'without.mjs': without, 'gatehouse.yaml': JSON.stringify(config) })
  const make = (name: string) => {
    const words = ['echo', 'a', '--config', at('gatehouse.yaml'), '--out', at(name)]
    return spawnSync(process.execPath, ['--import', at('without.mjs'), program, ...words], {
      encoding: 'utf8',
    })
  }
  const pdf = make('a.pdf')
  expect([pdf.status, pdf.stderr.split('\n')[0]]).toEqual([
    1,
    'Install the package "playwright-core" beside Gatehouse (npm install playwright-core) for files of this kind.',
  ])
  expect(make('a.html').status).toBe(0)
})

test('a value may stand before the brace that ends a JSON object, and a missing file names the folder', async () => {
  const templates = {
    tight: { format: 'json', text: '{"title": {{title}}}' },
    nested: { format: 'json', text: '{"a": {"b": {{#if b}}{{b}}{{else}}0{{/if}}}}' },
    partial: { format: 'json', text: '[{{> part}}]' },
  }
  const partials = { part: { text: '{"c": {{json c}}}' } }
  const running = await startTestFront({ echo: echoOf({ templates, partials }) })
  try {
    const made = async (template: string, params: object) => {
      const query = new URLSearchParams({ template, params: JSON.stringify(params) })
      return (await fetch(`${running.url}/echo?${query}`)).json()
    }
    expect(await made('tight', { title: 'a "b"' })).toEqual({ title: 'a "b"' })
    expect(await made('nested', { b: 2 })).toEqual({ a: { b: 2 } })
    expect(await made('partial', { c: [1] })).toEqual([{ c: [1] }])
  } finally {
    await running.close()
  }
  const failure = startTestFront({ echo: echoOf({ templates: { gone: { file: 'texts/a.txt' } } }) })
  await expect(failure).rejects.toMatchObject({
    detail: `template gone: the file "texts/a.txt" does not exist in the folder ${JSON.stringify(process.cwd())}, where the program was started`,
  })
})
