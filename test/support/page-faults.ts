import axe from 'axe-core'
import type { Page } from 'playwright-core'

/**
 * What axe finds wrong with a page, and where it is wider than its window: light and dark, on a desktop and a phone. With
 * `TEST_SCREENSHOTS`, a folder, it is photographed under a name. The context of the page must bypass its policy.
 */
export async function faultsOf(page: Page, name: string): Promise<readonly unknown[]> {
  await page.evaluate(axe.source)
  const found: unknown[] = []
  for (const [device, viewport] of [
    ['desktop', { width: 1100, height: 800 }],
    ['phone', { width: 360, height: 640 }],
  ] as const) {
    await page.setViewportSize(viewport)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      const faults = await page.evaluate('axe.run().then(({ violations }) => violations)')
      const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
      if (JSON.stringify(faults) !== '[]') found.push({ device, colorScheme, faults })
      if (overflow !== 0) found.push({ device, colorScheme, overflow })
      const folder = process.env.TEST_SCREENSHOTS
      if (folder) await page.screenshot({ path: `${folder}/${name}-${colorScheme}-${device}.png` })
    }
  }
  return found
}
