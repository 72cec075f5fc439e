/** Bundles the page of the published APIs into static files: a document, and beside it a folder of files with hashed names. */
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  // Relative, so that the page also works where a proxy puts the gateway below its own path.
  base: './',
  envDir: false,
  publicDir: false,
  build: {
    target: 'es2022',
    // Those that know `light-dark()`, which is written in the elements themselves, too.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    assetsDir: 'docs',
    modulePreload: { polyfill: false },
    license: { fileName: 'licenses.md' },
    rolldownOptions: { checks: { moduleLevelDirective: false } },
  },
})
