import type { RenderJob } from './render-calls.ts'

/** The HTML page of a job; an SVG image is embedded in one. */
export function pageOf({ format, text }: Pick<RenderJob, 'format' | 'text'>): string {
  const page = Buffer.concat(text).toString()
  if (format !== 'svg') return page
  const image = page.replace(/^\s*<\?xml[^>]*>/, '').replace(/^\s*<!DOCTYPE[^>]*>/i, '')
  return `<!doctype html><style>html,body{margin:0}svg{display:block}</style>${image}`
}
