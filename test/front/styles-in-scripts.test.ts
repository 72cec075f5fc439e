/** An application whose scripts make its styles (CSS-in-JS), under the default policy, in a real browser. */
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { describe, expect, onTestFinished, test } from 'vitest'
import { hasBrowser, startBrowser, watchPage } from '../support/browser.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { startTestFront } from '../support/test-front.ts'

const sources = fileURLToPath(new URL('../support/styled-application', import.meta.url))

/** What a browser shows of the application that a bundler made with these settings. */
async function show(html: { readonly cspNonce?: string }) {
  const folder = await temporaryFolder()
  onTestFinished(() => folder.remove())
  const outDir = `${folder.path}/dist`
  await build({
    root: sources,
    configFile: false,
    logLevel: 'silent',
    html,
    define: { 'process.env.NODE_ENV': '"production"' },
    build: { outDir, emptyOutDir: true },
  })
  const front = await startTestFront({ content: { root: outDir } })
  onTestFinished(() => front.close())
  const browser = await startBrowser()
  onTestFinished(() => browser.close())
  const page = await browser.newPage()
  const { complaints } = watchPage(page, front.front.baseUrl)
  await page.goto(front.front.baseUrl)
  await page.getByRole('button', { name: 'Styled' }).waitFor()
  const color = await page.evaluate('getComputedStyle(document.querySelector("button")).color')
  return { color, isComplaining: complaints.some((text) => text.includes('style-src')) }
}

describe.runIf(hasBrowser)('emotion', () => {
  test('has its colours with the nonce that stands in place of __CSP_NONCE__', async () => {
    const shown = await show({ cspNonce: '__CSP_NONCE__' })
    expect(shown).toEqual({ color: 'rgb(1, 2, 3)', isComplaining: false })
  })

  test('has none without a nonce: the policy holds', async () => {
    const { color } = await show({})
    expect(color).not.toBe('rgb(1, 2, 3)')
  })
})
