import type { RenderJob } from './render-calls.ts'

/** The HTML page of a job, with a title; an SVG image is embedded in one. */
export function pageOf({ format, text, title }: Pick<RenderJob, 'format' | 'text' | 'title'>): string {
  const page = Buffer.concat(text).toString()
  if (format !== 'svg') return withTitle(page, title)
  const image = page.replace(/^\s*<\?xml[^>]*>/, '').replace(/^\s*<!DOCTYPE[^>]*>/i, '')
  return `<!doctype html><style>html,body{margin:0}svg{display:block}</style>${image}`
}

const beginning = /^\s*(?:<!doctype[^>]*>\s*)?(?:<html[^>]*>\s*)?(?:<head[^>]*>)?/i

function withTitle(page: string, title: string): string {
  if (/<title[\s>]/i.test(page)) return page
  const escaped = title.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return page.replace(beginning, (start) => `${start}<title>${escaped}</title>`)
}
