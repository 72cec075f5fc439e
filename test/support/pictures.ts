import { execFile, execFileSync } from 'node:child_process'
import { promisify } from 'node:util'
import type { Browser } from 'playwright-core'
import { has } from './machine.ts'

const run = promisify(execFile)

/** Whether this machine has the tools of Poppler, which read PDF. */
export const hasPoppler = has('Poppler')

/** Whether this machine has fonts for a language, as fontconfig knows it. */
export function hasFontsFor(language: string): boolean {
  try {
    return execFileSync('fc-list', [`:lang=${language}`]).length > 0
  } catch {
    return false
  }
}

/** What stands in a PDF. */
export interface ReadPdf {
  readonly pages: number
  /** Width and height of the first page, in points of 1/72 inch. */
  readonly size: readonly [number, number]
  readonly text: string
  readonly title: string | undefined
  /** Whether it has the structure that screen readers use. */
  readonly tagged: boolean
}

/** Reads a PDF that lies in a file. */
export async function readPdf(file: string): Promise<ReadPdf> {
  const [info, text] = await Promise.all([run('pdfinfo', [file]), run('pdftotext', ['-layout', file, '-'])])
  const [, width, height] = /^Page size: +([\d.]+) x ([\d.]+)/m.exec(info.stdout) ?? []
  return {
    pages: Number(/^Pages: +(\d+)/m.exec(info.stdout)?.[1]),
    size: [Math.round(Number(width)), Math.round(Number(height))],
    text: text.stdout,
    title: /^Title: +(.*)$/m.exec(info.stdout)?.[1],
    tagged: /^Tagged: +yes$/m.test(info.stdout),
  }
}

/** The pages of a PDF as PNG, at 72 dots per inch. */
export async function drawPdf(file: string, page: number): Promise<Buffer> {
  const { stdout } = await run('pdftoppm', ['-r', '72', '-png', '-f', `${page}`, '-l', `${page}`, file], {
    encoding: 'buffer',
    maxBuffer: 2 ** 28,
  })
  return stdout
}

export interface Picture {
  readonly size: readonly [number, number]
  /** The colour at a place as red, green, blue and opacity, each up to 255. */
  at(x: number, y: number): readonly number[]
}

/** Decodes a PNG or JPEG with a browser. */
export async function decodePicture(
  browser: Browser,
  bytes: Uint8Array,
  mediaType: 'image/png' | 'image/jpeg',
): Promise<Picture> {
  const page = await browser.newPage()
  try {
    const url = `data:${mediaType};base64,${Buffer.from(bytes).toString('base64')}`
    const decoded = (await page.evaluate(`(async () => {
      const image = new Image()
      image.src = ${JSON.stringify(url)}
      await image.decode()
      const canvas = new OffscreenCanvas(image.naturalWidth, image.naturalHeight)
      const context = canvas.getContext('2d')
      context.drawImage(image, 0, 0)
      const { data } = context.getImageData(0, 0, canvas.width, canvas.height)
      let text = ''
      for (let start = 0; start < data.length; start += 30000)
        text += String.fromCharCode(...data.subarray(start, start + 30000))
      return { width: canvas.width, height: canvas.height, pixels: btoa(text) }
    })()`)) as { readonly width: number; readonly height: number; readonly pixels: string }
    const pixels = Buffer.from(decoded.pixels, 'base64')
    return {
      size: [decoded.width, decoded.height],
      at: (x, y) => [...pixels.subarray((y * decoded.width + x) * 4, (y * decoded.width + x) * 4 + 4)],
    }
  } finally {
    await page.close()
  }
}
