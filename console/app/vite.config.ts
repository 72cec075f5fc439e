/**
 * Bundles the console into static files: a document, and beside it files with hashed names. Addresses are relative, since the
 * configuration of the web front says below which path it is served.
 */
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { precompress } from '../precompress.ts'
import { withoutFonts } from '../without-fonts.ts'

const onEachPage =
  /node_modules.(react|react-dom|scheduler|react-router|@tanstack.(query-core|react-query)|i18next|react-i18next|openapi-fetch|@floating-ui|react-transition-group|@mantine.notifications)[/\\]/

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
      // What every page needs lies in few files, which compress better than many.
      output: {
        codeSplitting: {
          groups: [
            { name: 'vendor', test: onEachPage },
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
