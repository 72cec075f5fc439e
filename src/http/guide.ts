/** The documentation as pages: built from `docs/` into a folder, and the same for everyone. */
import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join, sep } from 'node:path'
import type { FastifyReply } from 'fastify'
import { AppError } from '../errors/app-error.ts'
import { guidePath } from './guide-path.ts'
import type { Route } from './routes.ts'

/** Nothing from other hosts, and scripts and styles only from files. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const mediaTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.txt': 'text/plain; charset=utf-8',
  '.png': 'image/png',
}

/** Sends pages of the documentation. */
export interface Guide {
  has(path: string): boolean
  /** Throws NOT_FOUND for a path that it does not have. */
  send(path: string, reply: FastifyReply): Promise<FastifyReply>
}

/** The documentation that was built into a folder; empty if there is no such folder. */
export function openGuide(folder: string): Guide {
  const files = new Map(filesIn(folder).map((name) => [pathOf(name), name]))
  return {
    has: (path) => files.has(path),
    async send(path, reply) {
      const name = files.get(path)
      if (name === undefined) {
        throw new AppError('NOT_FOUND', {
          detail: `The documentation has no such page. It begins at ${guidePath}.`,
        })
      }
      const content = await readFile(join(folder, name))
      return reply
        .type(mediaTypes[extname(name)] ?? 'text/plain; charset=utf-8')
        .headers({
          'cache-control': 'public, max-age=300',
          'content-security-policy': contentSecurityPolicy,
          'cross-origin-opener-policy': 'same-origin',
          'cross-origin-resource-policy': 'same-origin',
          'referrer-policy': 'same-origin',
        })
        .send(content)
    },
  }
}

/** The documentation, open to anyone. */
export function guideRoutes(guide: Guide): readonly Route[] {
  const methods: Route['methods'] = { GET: ({ path }, reply) => guide.send(path, reply) }
  return [
    { path: guidePath, access: 'open', methods },
    { path: `${guidePath}/*`, access: 'open', isThere: (path) => guide.has(path), methods },
  ]
}

/** A page has no extension in its path. */
function pathOf(name: string): string {
  const path = name
    .split(sep)
    .join('/')
    .replace(/\.html$/, '')
  return path === 'index' ? guidePath : `${guidePath}/${path}`
}

function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => extname(name) !== '')
  } catch {
    return []
  }
}
