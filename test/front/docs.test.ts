import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { frontSettings } from '../../src/bin/front-settings.ts'
import { frontCommandOptions } from '../../src/config/command-options.ts'
import { loadConfig } from '../../src/config/load.ts'

const pages = ['web-front', 'echo', 'how-to/identity-providers'].map((name) =>
  readFileSync(new URL(`../../docs/${name}.md`, import.meta.url), 'utf8'),
)
const examples = [...pages.join('\n').matchAll(/```yaml\n(.*?)```/gs)].map(([, text]) => text ?? '')

test('the pages have examples', () => {
  expect(examples.length).toBeGreaterThan(5)
})

test.each(examples)('an example of the documentation is right: %s', (text) => {
  const { values } = loadConfig(frontCommandOptions, {
    flags: ['--config', 'example.yaml'],
    environment: {},
    readText: (path) => (path === 'example.yaml' ? text : 'redis://127.0.0.1:6379/0?of=an-example'),
  })
  const { root } = frontSettings(values.front, () => {}).content
  expect(root).toBe(text.includes('root:') ? '/srv/app' : undefined)
})
