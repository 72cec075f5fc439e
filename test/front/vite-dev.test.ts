/** An application in development: Vite's own server in front of the web front, as the documentation describes it. */
import { copyFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { createServer, type ViteDevServer } from 'vite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseTarget } from '../../src/proxy/target.ts'
import { applicationFolder } from '../support/application-folder.ts'
import { hasBrowser, startBrowser, watchPage } from '../support/browser.ts'
import { freePort } from '../support/free-port.ts'
import { products } from '../support/products.ts'
import { startTestFront, type TestFront } from '../support/test-front.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

const client = fileURLToPath(new URL('../../dist/browser/index.js', import.meta.url))

const page = `<!doctype html><title>App</title><link rel="icon" href="data:,"><p id="message"></p><p id="account"></p>
<button id="in">Enter</button><button id="out">Leave</button><script type="module" src="/main.js"></script>`

const main = `
import { connect } from './client.js'
import { message } from './message.js'
const show = (id, text) => { document.getElementById(id).textContent = text }
const gatehouse = connect()
show('message', message)
import.meta.hot.accept('./message.js', (changed) => show('message', changed.message))
document.getElementById('in').onclick = () => gatehouse.login()
document.getElementById('out').onclick = async () => {
  await gatehouse.logout()
  location.reload()
}
try {
  const response = await gatehouse.fetch('/whoami')
  show('account', (await response.json()).username)
} catch (error) {
  show('account', error.name)
}`

describe.runIf(hasBrowser)('with the server of Vite', () => {
  let gateway: TestGateway
  let front: TestFront
  let folder: Awaited<ReturnType<typeof applicationFolder>>
  let vite: ViteDevServer
  let browser: Browser
  let url = ''

  beforeAll(async () => {
    const [product] = products
    if (product === undefined) throw new Error('There is no product to test on.')
    gateway = await startTestGateway(product)
    const port = await freePort()
    url = `http://localhost:${port}`
    const target = parseTarget(gateway.url)
    if ('mistake' in target) throw new Error(target.mistake)
    const timeouts = { connect: 1000, response: 5000, idle: 5000 }
    front = await startTestFront({
      baseUrl: url,
      gateway: { address: gateway.url },
      backends: [{ proxyPath: '/backend', target, tokenHeader: 'X-Xaas-Auth-Token', timeouts }],
      providers: [
        { name: 'gateway', label: 'Staff', strategy: { kind: 'gateway' }, transparentTokens: true },
      ],
    })
    folder = await applicationFolder({
      'index.html': page,
      'main.js': main,
      'message.js': `export const message = 'first'`,
    })
    await copyFile(client, join(folder.root, 'client.js'))
    vite = await createServer({
      root: folder.root,
      configFile: false,
      logLevel: 'silent',
      cacheDir: join(folder.path, 'cache'),
      server: {
        host: 'localhost',
        port,
        strictPort: true,
        proxy: {
          '^/(session|auth|logout|signout|echo|backend)(/|[?]|$)': { target: front.url, ws: true },
        },
      },
    })
    await vite.listen()
    browser = await startBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await vite?.close()
    await folder?.remove()
    await front?.close()
    await gateway?.close()
  })

  test('people log in, the application calls the backend and changes while they look, and they log out', async () => {
    const page = await browser.newPage()
    const { complaints } = watchPage(page, url)
    const shown = (id: string) => expect.poll(() => page.textContent(`#${id}`))
    await page.goto(`${url}/?tab=ports`)
    await shown('account').toBe('LoginNeeded')
    await shown('message').toBe('first')

    await page.getByRole('button', { name: 'Enter' }).click()
    await page.getByLabel('Username').fill('admin')
    await page.getByLabel('Password').fill(gateway.password)
    await page.getByLabel('API key').fill(gateway.apiKey)
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.waitForURL(`${url}/?tab=ports`)
    await shown('account').toBe('admin')

    await page.evaluate('window.isTheSame = true')
    await writeFile(join(folder.root, 'message.js'), `export const message = 'second'`)
    await shown('message').toBe('second')
    expect(await page.evaluate('window.isTheSame')).toBe(true)

    await page.getByRole('button', { name: 'Leave' }).click()
    await shown('account').toBe('LoginNeeded')
    expect(complaints).toEqual([])
    await page.close()
  })
})
