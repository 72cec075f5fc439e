/** The configuration of token issuers: what is refused, what `check-config --connect` finds, and the examples of the docs. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runCommand } from '../support/run-command.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { startIssuer, type TestIssuer } from '../support/test-issuer.ts'

const database = ['--db_product', 'sqlite', '--db_name', ':memory:']

async function fileWith(text: string): Promise<string> {
  const folder = await temporaryFolder()
  onTestFinished(folder.remove)
  const file = join(folder.path, 'gatehouse.yaml')
  await writeFile(file, text)
  return file
}

async function check(text: string, ...words: string[]) {
  return runCommand(['check-config', 'gateway', ...database, '--config', await fileWith(text), ...words])
}

const entry = (issuer: string, more = '') => `gateway:
  token_issuers:
    - name: staff
      issuer: ${issuer}
      audience: https://api.example.org
${more}`

async function issuer(): Promise<TestIssuer> {
  const started = await startIssuer(() => new Date())
  onTestFinished(started.close)
  return started
}

test('check-config --connect reads the keys, and looks for the roles', async () => {
  const { url } = await issuer()
  const { exitCode, output } = await check(entry(url, '      role: reader\n'), '--connect')
  expect([exitCode, output.split('\n').slice(-3)]).toEqual([
    1,
    [
      'database       works  the file ":memory:", 0 tables',
      `issuer staff   works  ${url}, 1 key`,
      'token_issuers  FAILS  The gateway has no role “reader”. Create it with “gatehouse role create”, or name another.',
    ],
  ])
})

test.each<[string, (started: TestIssuer) => string, string]>([
  ['does not respond as it should', (one) => one.url, 'responded with status 500'],
  ['is another one', (one) => `${one.url}/`, 'the metadata is of the issuer'],
  ['has no metadata', (one) => `${one.url}/realms/x`, 'responded with status 404'],
])('an issuer that %s fails', async (_what, addressOf, reason) => {
  const started = await issuer()
  if (reason.includes('500')) started.manner = 'failing'
  const { exitCode, output } = await check(entry(addressOf(started), '      role: reader\n'), '--connect')
  expect([exitCode, output]).toEqual([1, expect.stringMatching(`issuer staff +FAILS .*${reason}`)])
})

test('mistakes are told before the start', async () => {
  const other = `    - name: staff
      issuer: https://login.example.org
      audience: x
      algorithms: [HS256, none]
      role: reader
`
  const { exitCode, errors } = await check(entry('https://login.example.org'))
  expect([exitCode, errors]).toEqual([
    2,
    'token_issuers: "staff" gives no roles, so its tokens open nothing. Add “role” or “roles”',
  ])
  const wrong = await check(entry('https://login.example.org', `      role: reader\n${other}`))
  expect([wrong.exitCode, wrong.errors]).toEqual([
    2,
    expect.stringMatching(
      /token_issuers\[1\]\.algorithms: takes one of RS256, .* not "\[\\"HS256\\",\\"none\\"\]"/,
    ),
  ])
  const twice = other.replace(/ +algorithms.*\n/, '')
  const double = await check(entry('https://login.example.org', `      role: reader\n${twice}`))
  expect([double.exitCode, double.errors.split('\n')]).toEqual([
    2,
    [
      'token_issuers: two have the name "staff". Each caller is named after one of them',
      'token_issuers: two have the issuer "https://login.example.org". List its audiences in one entry',
    ],
  ])
})

test('each example of the page is a configuration', async () => {
  const page = await readFile(new URL('../../docs/how-to/token-issuers.md', import.meta.url), 'utf8')
  const blocks = [...page.matchAll(/^( *)```yaml\n([\s\S]*?)\n *```$/gm)]
  expect(blocks).toHaveLength(5)
  for (const [, indent = '', text = ''] of blocks) {
    const { exitCode, errors } = await check(text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''))
    expect([exitCode, errors]).toEqual([0, ''])
  }
})
