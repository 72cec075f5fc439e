import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { allCases } from './part-of.ts'

const desktop = { device: 'desktop', viewport: { width: 1100, height: 800 } } as const
const phone = { device: 'phone', viewport: { width: 360, height: 640 } } as const
/** The long tests look in each of these ways, others in the first two. */
const ways = [
  { ...desktop, colorScheme: 'light' },
  { ...phone, colorScheme: 'dark' },
  { ...desktop, colorScheme: 'dark' },
  { ...phone, colorScheme: 'light' },
] as const

/**
 * What axe finds wrong with a page, and where it is wider than its window: light and dark, on a desktop and a phone. With
 * `TEST_SCREENSHOTS`, a folder, it is photographed under a name. The context of the page must bypass its policy.
 */
export async function faultsOf(page: Page, name: string): Promise<readonly unknown[]> {
  await page.evaluate(axe.source)
  const found: unknown[] = []
  for (const { device, viewport, colorScheme } of allCases ? ways : ways.slice(0, 2)) {
    await page.setViewportSize(viewport)
    await page.emulateMedia({ colorScheme })
    const faults = await page.evaluate('axe.run().then(({ violations }) => violations)')
    const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
    if (JSON.stringify(faults) !== '[]') found.push({ device, colorScheme, faults })
    if (overflow !== 0) found.push({ device, colorScheme, overflow })
    const folder = process.env.TEST_SCREENSHOTS
    if (folder) await page.screenshot({ path: `${folder}/${name}-${colorScheme}-${device}.png` })
  }
  return found
}
