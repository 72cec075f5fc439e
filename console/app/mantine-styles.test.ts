import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const folder = fileURLToPath(new URL('.', import.meta.url))
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.tsx'),
)

test('the styles of each Mantine component that the console uses are loaded', () => {
  const used = files.flatMap((name) => {
    const text = readFileSync(`${folder}/${name}`, 'utf8')
    return [...text.matchAll(/import \{([^}]*)\} from '@mantine\/core'/g)].flatMap(([, names = '']) =>
      names.split(',').map((each) => each.trim()),
    )
  })
  const styles = new Set(readdirSync(`${folder}/../../node_modules/@mantine/core/styles`))
  const loaded = readFileSync(`${folder}/mantine-styles.ts`, 'utf8')
  const missing = [...new Set(used)].filter(
    (name) => styles.has(`${name}.layer.css`) && !loaded.includes(`/${name}.layer.css`),
  )
  expect(missing).toEqual([])
})
