/** A step of the build: compresses files once, so that the server only sends them. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'

/** Below this size in bytes compression gains nothing. */
const leastBytes = 1024

/** Writes `.br` and `.gz` files beside the scripts and styles of a bundle. Pages are not compressed: each gets a nonce. */
export function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    writeBundle({ dir = '.' }) {
      for (const name of readdirSync(dir, { recursive: true, encoding: 'utf8' })) {
        if (!/\.(js|css|svg)$/.test(name)) continue
        const bytes = readFileSync(join(dir, name))
        if (bytes.length < leastBytes) continue
        const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }
        writeFileSync(join(dir, `${name}.br`), brotliCompressSync(bytes, quality))
        writeFileSync(join(dir, `${name}.gz`), gzipSync(bytes))
      }
    },
  }
}
