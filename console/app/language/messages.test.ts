/** The texts of each folder are the same in all languages: the same keys, with the same values filled in. */
import { globSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

const app = new URL('../', import.meta.url).pathname
const folders = globSync('**/messages.en.json', { cwd: app }).map((file) =>
  file.replace('/messages.en.json', ''),
)

interface Texts {
  readonly [key: string]: string | Texts
}

function textsIn(folder: string, language: string): ReadonlyMap<string, string> {
  const read = JSON.parse(readFileSync(`${app}${folder}/messages.${language}.json`, 'utf8')) as Texts
  return new Map(flat(read, ''))
}

function flat(texts: Texts, before: string): readonly (readonly [string, string])[] {
  return Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'string' ? [[before + key, value] as const] : flat(value, `${before}${key}.`),
  )
}

const filledIn = (text: string) => [...text.matchAll(/\{\{[^}]*\}\}/g)].map(([name]) => name).sort()

test('there are texts', () => {
  expect(folders).toContain('shell')
})

describe.each(folders)('texts of %s', (folder) => {
  const [english, japanese] = [textsIn(folder, 'en'), textsIn(folder, 'ja')]
  // Japanese has no plural.
  const keys = (texts: ReadonlyMap<string, string>) =>
    [...new Set([...texts.keys()].map((key) => key.replace(/_one$/, '_other')))].sort()

  test('have the same keys', () => {
    expect(keys(japanese)).toEqual(keys(english))
  })

  test('fill in the same values', () => {
    const differing = keys(english).filter(
      (key) => filledIn(english.get(key) ?? '').join() !== filledIn(japanese.get(key) ?? '').join(),
    )
    expect(differing).toEqual([])
  })

  test('are translated', () => {
    const sentences = [...english].filter(([, text]) => /[a-z]+ [a-z]+ [a-z]+/.test(text))
    expect(sentences.filter(([key, text]) => japanese.get(key) === text)).toEqual([])
  })
})
