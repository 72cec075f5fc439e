/** Checks that folders import only from lower layers, and that nothing imports itself in a circle, not even for its types. */
import { realpathSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { readSourceFiles, type SourceFile } from './source-files.ts'

/** From the lowest to the highest. Folders of one layer do not import each other. */
export const layers: readonly (readonly string[])[] = [
  ['util'],
  ['config', 'errors', 'observe', 'worker'],
  ['documents'],
  ['database', 'http'],
  ['query', 'store', 'proxy'],
  ['record'],
  ['graphql', 'rest', 'access', 'entity', 'echo'],
  ['gateway', 'web-front', 'admin'],
  ['bin'],
]

/** Imports between folders of one layer that are meant: the lowest of them knows nothing of the others. */
const allowed: ReadonlySet<string> = new Set(['config -> errors', 'observe -> errors'])

/**
 * Folders that may use only some of the lower ones. The web front and administration reach the gateway over HTTP, like
 * any client; administration reads the same documents as the gateway does.
 */
const narrow: ReadonlyMap<string, readonly string[]> = new Map([
  ['web-front', ['echo', 'proxy', 'http', 'documents', 'config', 'errors', 'observe', 'util']],
  ['echo', ['http', 'documents', 'config', 'errors', 'observe', 'worker', 'util']],
  ['admin', ['access', 'http', 'documents', 'config', 'errors', 'util']],
])

/** One sentence for each violation. */
export function findLayerViolations(root: string): readonly string[] {
  const files = readSourceFiles(root)
  return [...files.flatMap(violationsOf), ...findCycles(files)]
}

function violationsOf(file: SourceFile): readonly string[] {
  const from = folderOf(file.path)
  const own = layerOf(from)
  if (own === -1)
    return [`src/${file.path}: the folder "${from}" is in no layer; add it in scripts/check-layers.ts.`]
  return file.imports.flatMap(({ file: imported }) => {
    if (imported === undefined) return []
    const to = folderOf(imported)
    const other = layerOf(to)
    if (from === to || allowed.has(`${from} -> ${to}`)) return []
    const reason = reasonAgainst(from, to, own, other)
    if (reason === undefined) return []
    return [
      `src/${file.path} imports ${imported}: ${reason}. Move what both need to a lower layer, or pass it as an argument.`,
    ]
  })
}

function reasonAgainst(from: string, to: string, own: number, other: number): string | undefined {
  if (to === '..') return 'it is not in src/'
  if (other === own) return `both are in layer ${own}`
  if (other > own) return `${to} is in layer ${other}, above layer ${own}`
  const only = narrow.get(from)
  if (only === undefined || only.includes(to)) return undefined
  return `${from} uses only ${only.join(', ')}`
}

function folderOf(path: string): string {
  return path.split('/')[0] ?? ''
}

function layerOf(folder: string): number {
  return layers.findIndex((folders) => folders.includes(folder))
}

function findCycles(files: readonly SourceFile[]): readonly string[] {
  const importsOf = new Map(
    files.map(({ path, imports }) => [path, imports.flatMap(({ file }) => file ?? [])]),
  )
  const found: string[] = []
  const done = new Set<string>()
  const visit = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path)
    if (start !== -1) {
      const circle = [...trail.slice(start), path].map((name) => `src/${name}`).join(' -> ')
      found.push(
        `${circle}: a circle of imports. Pass one of them as an argument, or move what both need to a third file.`,
      )
      return
    }
    if (done.has(path)) return
    for (const imported of importsOf.get(path) ?? []) visit(imported, [...trail, path])
    done.add(path)
  }
  for (const { path } of files) visit(path, [])
  return found
}

if (realpathSync(process.argv[1] ?? '.') === fileURLToPath(import.meta.url)) {
  const violations = findLayerViolations(fileURLToPath(new URL('..', import.meta.url)))
  for (const violation of violations) console.error(violation)
  process.exitCode = violations.length === 0 ? 0 : 1
}
