import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { ProviderSettings } from '../../src/web-front/login/provider-settings.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { TestBrowser } from '../support/test-browser.ts'
import { startTestFront } from '../support/test-front.ts'

const login = `export default ({ realm }) => ({
  async begin({ redirectUri, state }) {
    return { url: redirectUri + '?state=' + state + '&user=ada', kept: { realm } }
  },
  async complete({ callbackUrl, kept }) {
    const user = callbackUrl.searchParams.get('user')
    if (user !== 'ada') throw new Error('secret reason')
    return { account_id: user, displayName: 'Ada', properties: kept }
  },
})`
const tokens = `let count = 0
export default () => ({
  async generate({ account, username }) {
    count += 1
    return count > 2 ? null : { accessToken: account.account_id + count + username }
  },
})`

async function modules(files: Readonly<Record<string, string>>) {
  const folder = await temporaryFolder()
  onTestFinished(() => folder.remove())
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder.path, name), text)
  const module = (name: string) => ({ path: join(folder.path, name), settings: { realm: 'staff' } })
  const settings: ProviderSettings = {
    name: 'mine',
    label: 'Mine',
    transparentTokens: false,
    strategy: { kind: 'module', module: module('login.mjs') },
    ...('tokens.mjs' in files ? { generator: { kind: 'module', module: module('tokens.mjs') } } : {}),
  }
  return settings
}

test('modules log in and make tokens', async () => {
  const running = await startTestFront({
    providers: [await modules({ 'login.mjs': login, 'tokens.mjs': tokens })],
  })
  onTestFinished(() => running.close())
  const browser = new TestBrowser(running.front.baseUrl)
  expect((await browser.follow('/auth/mine')).status).toBe(200)
  const answers = [await browser.get('/session'), await browser.get('/session')]
  expect(answers.map(({ status }) => status)).toEqual([200, 401])
  expect(answers[0]?.body.auth).toEqual({
    account_id: 'ada',
    displayName: 'Ada',
    strategy: 'module',
    provider: 'mine',
    properties: { realm: 'staff' },
    accessToken: 'ada2mine:ada',
  })
})

test('what a module throws is a log-in that failed, and stays here', async () => {
  const running = await startTestFront({ providers: [await modules({ 'login.mjs': login })] })
  onTestFinished(() => running.close())
  const browser = new TestBrowser(running.front.baseUrl)
  const { location } = await browser.get('/auth/mine')
  const page = await browser.get(location.replace('user=ada', 'user=eve'))
  expect(page.status).toBe(400)
  expect(page.text).not.toContain('secret reason')
})

test.each([
  ['that is not there', {}, 'there is no such file'],
  ['without a default export', { 'login.mjs': 'export const a = 1' }, 'its default export is not a function'],
  [
    'that lacks a function',
    { 'login.mjs': 'export default () => ({ begin() {} })' },
    'lacks begin or complete',
  ],
])('a module %s stops the start', async (_what, files, reason) => {
  const provider = await modules(files)
  await expect(startTestFront({ providers: [provider] })).rejects.toMatchObject({
    code: 'MODULE_UNUSABLE',
    detail: expect.stringContaining(reason),
  })
})
