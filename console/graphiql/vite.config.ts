/** Bundles the GraphiQL page into static files: a document, and beside it a folder of files with hashed names. */
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { withoutFonts } from '../without-fonts.ts'

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  // Relative, so that the page also works where a proxy puts the gateway below its own path.
  base: './',
  envDir: false,
  publicDir: false,
  plugins: [withoutFonts()],
  resolve: {
    alias: { 'react-style-singleton': fileURLToPath(new URL('./no-style-elements.ts', import.meta.url)) },
  },
  build: {
    target: 'es2022',
    assetsDir: 'graphiql',
    modulePreload: { polyfill: false },
    license: { fileName: 'licenses.md' },
    chunkSizeWarningLimit: 2000,
    rolldownOptions: { checks: { moduleLevelDirective: false } },
  },
})
