import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const folder = fileURLToPath(new URL('.', import.meta.url))
const read = (name: string) => readFileSync(join(folder, name), 'utf8')
const styles = new Set(readdirSync(`${folder}/../../node_modules/@mantine/core/styles`))

/** The Mantine components that some files use and that have styles, without those whose styles are loaded. */
function missingIn(files: Iterable<string>, ...loaded: readonly string[]): readonly string[] {
  const texts = loaded.map(read)
  const used = [...files].flatMap((name) =>
    [...read(name).matchAll(/import \{([^}]*)\} from '@mantine\/core'/g)].flatMap(([, names = '']) =>
      names.split(',').map((each) => each.trim()),
    ),
  )
  return [...new Set(used)].filter(
    (name) => styles.has(`${name}.layer.css`) && !texts.some((text) => text.includes(`/${name}.layer.css`)),
  )
}

/** The files that are loaded with one of them. */
function loadedWith(name: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(name) || !existsSync(join(folder, name))) return found
  found.add(name)
  for (const [, from = ''] of read(name).matchAll(/^(?:import|export) (?!type )[^;]*? from '(\.[^']+)'/gms)) {
    if (/\.tsx?$/.test(from)) loadedWith(normalize(join(dirname(name), from)), found)
  }
  return found
}

test('the styles of each Mantine component that the console uses are loaded', () => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const pages = files.filter((name) => name.endsWith('.tsx'))
  expect(missingIn(pages, 'mantine-styles.ts', 'mantine-styles-more.ts')).toEqual([])
})

test('those that the first page uses are loaded with it', () => {
  const first = new Set([...loadedWith('main.tsx'), ...loadedWith('overview/overview.tsx')])
  expect(first).toContain('overview/served.tsx')
  expect(missingIn(first, 'mantine-styles.ts')).toEqual([])
})
