/**
 * Bundles the console into static files: a document, and beside it files with hashed names. Addresses are relative, since the
 * configuration of the web front says below which path it is served.
 */
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { precompress } from '../precompress.ts'
import { withoutFonts } from '../without-fonts.ts'

// The list of all of Mantine's components, which would bring what only some of them need.
const noBarrel = /^(?!.*@mantine.core.esm.index)/

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: './',
  envDir: false,
  publicDir: false,
  plugins: [withoutFonts(), precompress()],
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    target: 'es2022',
    // Those that know `light-dark()`, which is written in the elements themselves, too.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
    license: { fileName: 'licenses.md' },
    rolldownOptions: {
      experimental: { lazyBarrel: true },
      // What the first page needs lies in one file, and nothing else: it compresses better than many.
      output: {
        codeSplitting: {
          groups: [
            { name: 'first', tags: ['$initial'], test: noBarrel, priority: 1 },
            { name: 'mantine', test: /@mantine.(core|hooks)|@tabler/, minShareCount: 12 },
          ],
        },
      },
      onwarn(warning, warn) {
        // Packages mark what runs in a browser, which everything here does; of the icons only those that are used are read.
        if (!['MODULE_LEVEL_DIRECTIVE', 'LARGE_BARREL_MODULES'].includes(warning.code ?? '')) warn(warning)
      },
    },
  },
})
