/** Bundles the client for browsers into one ES module without packages. */
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  envDir: false,
  publicDir: false,
  build: {
    target: 'es2022',
    lib: { entry: 'index.ts', formats: ['es'], fileName: () => 'index.js' },
  },
})
