/** An application whose scripts make its styles (CSS-in-JS), under the default policy, in a real browser. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { hasBrowser, startBrowser, watchPage } from '../support/browser.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { startTestFront } from '../support/test-front.ts'

const sources = fileURLToPath(new URL('../support/styled-application', import.meta.url))

describe.runIf(hasBrowser)('emotion', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let browser: Browser
  let root = ''

  beforeAll(async () => {
    folder = await temporaryFolder()
    root = join(folder.path, 'dist')
    await build({
      root: sources,
      configFile: false,
      logLevel: 'silent',
      html: { cspNonce: '__CSP_NONCE__' },
      define: { 'process.env.NODE_ENV': '"production"' },
      build: { outDir: root, emptyOutDir: true },
    })
    browser = await startBrowser()
  })
  afterAll(async () => {
    await browser.close()
    await folder.remove()
  })

  /** What a browser shows of the application. */
  async function show() {
    const front = await startTestFront({ content: { root } })
    onTestFinished(() => front.close())
    const page = await browser.newPage()
    const { complaints } = watchPage(page, front.front.baseUrl)
    await page.goto(front.front.baseUrl)
    await page.getByRole('button', { name: 'Styled' }).waitFor()
    const color = await page.evaluate('getComputedStyle(document.querySelector("button")).color')
    return { color, isComplaining: complaints.some((text) => text.includes('style-src')) }
  }

  test('has its colours with the nonce that stands in place of __CSP_NONCE__', async () => {
    expect(await show()).toEqual({ color: 'rgb(1, 2, 3)', isComplaining: false })
  })

  test('has none without a nonce: the policy holds', async () => {
    const file = join(root, 'index.html')
    const page = await readFile(file, 'utf8')
    await writeFile(file, page.replaceAll(/<meta property="csp-nonce"[^>]*>| nonce="[^"]*"/g, ''))
    const { color } = await show()
    expect(color).not.toBe('rgb(1, 2, 3)')
  })
})
