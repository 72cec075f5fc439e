/** Bundles the application that comes with the web front into static files: a document, and beside it files with hashed names. */
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: './',
  envDir: false,
  publicDir: false,
  build: {
    target: 'es2022',
    modulePreload: { polyfill: false },
    license: { fileName: 'licenses.md' },
  },
})
