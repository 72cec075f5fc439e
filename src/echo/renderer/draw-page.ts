/** Renders the page of one file: its size is checked before, and the number of its pages after. */
import { AppError } from '../../errors/app-error.ts'
import type { RendererSettings } from '../echo-settings.ts'
import type { IsolatedPage } from './isolated-browser.ts'
import { pageCountOf } from './page-count.ts'
import type { RenderJob } from './render-calls.ts'

export type DrawLimits = Pick<RendererSettings, 'maxPages' | 'maxPixels' | 'timeoutMs'>

/** A page for the browser. */
export interface HtmlPage extends Pick<RenderJob, 'picture' | 'page' | 'image'> {
  readonly html: string
}

/** Throws FILE_TOO_LARGE. The caller limits the time. */
export async function drawPage(
  isolated: IsolatedPage,
  job: HtmlPage,
  limits: DrawLimits,
): Promise<Uint8Array> {
  return job.picture === 'pdf' ? drawPdf(isolated, job, limits) : drawImage(isolated, job, limits)
}

/** No paper page is higher than this, in CSS pixels: content for more than the allowed pages is refused without rendering. */
const highestPage = 6000

async function drawPdf(isolated: IsolatedPage, job: HtmlPage, limits: DrawLimits): Promise<Uint8Array> {
  const { page } = isolated
  await page.setContent(job.html, { timeout: limits.timeoutMs })
  const { height } = await contentSizeOf(isolated)
  if (height > limits.maxPages * highestPage) throw tooManyPages(limits)
  const { size, margin, header, footer } = job.page
  const [top, right, bottom, left] = margin
  const bytes = await page.pdf({
    width: size[0],
    height: size[1],
    margin: { top, right, bottom, left },
    printBackground: true,
    // For screen readers.
    tagged: true,
    preferCSSPageSize: true,
    // One more than allowed, to detect that there are too many.
    pageRanges: `1-${limits.maxPages + 1}`,
    displayHeaderFooter: header !== undefined || footer !== undefined,
    headerTemplate: edge(header, left, right),
    footerTemplate: edge(footer, left, right),
  })
  if (pageCountOf(bytes) > limits.maxPages) throw tooManyPages(limits)
  return bytes
}

/** Without a style of their own, headers and footers would be too small to be visible. */
function edge(html: string | undefined, left: string, right: string): string {
  if (html === undefined) return '<span></span>'
  const style = `box-sizing:border-box;width:100%;padding:0 ${right} 0 ${left};font:9px sans-serif;text-align:center`
  return `<div style="${style};-webkit-print-color-adjust:exact">${html}</div>`
}

/** Browsers cannot render longer edges, in pixels. */
const longestEdge = 16_384

async function drawImage(isolated: IsolatedPage, job: HtmlPage, limits: DrawLimits): Promise<Uint8Array> {
  const { page, session } = isolated
  const { width, height: wantedHeight, scale, jpegQuality, transparent } = job.image
  await page.setViewportSize({ width, height: wantedHeight ?? 1 })
  await page.setContent(job.html, { timeout: limits.timeoutMs })
  const height = wantedHeight ?? Math.max(1, Math.ceil((await contentSizeOf(isolated)).height))
  const edges = [width * scale, height * scale]
  if (width * height * scale * scale > limits.maxPixels || Math.max(...edges) > longestEdge) {
    const detail = `The image would have ${edges.map(Math.round).join(' × ')} pixels; ${limits.maxPixels} are allowed, and ${longestEdge} for an edge (echo.maxPixels).`
    throw new AppError('FILE_TOO_LARGE', { detail })
  }
  const isPng = job.picture === 'png'
  if (isPng && transparent) {
    await session.send('Emulation.setDefaultBackgroundColorOverride', { color: { r: 0, g: 0, b: 0, a: 0 } })
  }
  const { data } = await session.send('Page.captureScreenshot', {
    format: isPng ? 'png' : 'jpeg',
    ...(isPng ? {} : { quality: jpegQuality }),
    clip: { x: 0, y: 0, width, height, scale },
    captureBeyondViewport: true,
  })
  return Buffer.from(data, 'base64')
}

async function contentSizeOf({ session }: IsolatedPage): Promise<{ readonly height: number }> {
  const { cssContentSize } = await session.send('Page.getLayoutMetrics')
  return cssContentSize
}

function tooManyPages({ maxPages }: DrawLimits): AppError {
  return new AppError('FILE_TOO_LARGE', {
    detail: `The file would have more than ${maxPages} pages, which is the limit (echo.maxPages).`,
  })
}
