/**
 * Bundles the program for Node.js: one file to load in place of hundreds takes a third off the start, and the packages
 * that every start loads another sixth. Everything lands in one folder, so that a file finds the threads and processes that it
 * starts beside itself, as it does in `src/`.
 */
import { globSync } from 'node:fs'
import { parse } from 'node:path'
import { defineConfig } from 'vite'

const root = import.meta.dirname
const entries = ['src/bin/gatehouse.mjs', ...globSync('src/**/*-{thread,process}.ts', { cwd: root })]

/** Packages of many files that every start loads. The others stay what they are, beside the program. */
const bundledPackages = ['fastify', 'graphql', 'jose', 'prom-client', 'valibot', 'yaml']

export default defineConfig({
  root,
  envDir: false,
  publicDir: false,
  ssr: { target: 'node', noExternal: bundledPackages },
  build: {
    ssr: true,
    target: 'node22',
    minify: false,
    // Of the packages that are in it.
    license: { fileName: 'licenses.md' },
    rolldownOptions: {
      input: Object.fromEntries(entries.map((file) => [parse(file).name, file])),
      output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
    },
  },
})
