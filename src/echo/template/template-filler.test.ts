import { execFile } from 'node:child_process'
import { open, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import type { TemplateSettings, TextSource } from '../echo-settings.ts'
import { startTemplateFiller } from './template-filler.ts'

test('a thread that ends while it reads the templates stops the start with a sentence', async () => {
  const settings = { templates: [], partials: null as never, reload: false }
  const starting = startTemplateFiller({ settings, timeoutMs: 1000, onReload: () => undefined })
  await expect(starting).rejects.toMatchObject({
    code: 'TEMPLATES_UNUSABLE',
    detail:
      'The thread that reads the templates ended, or took longer than 120 seconds: they may be too large.',
  })
})

const template = (name: string, source: TextSource): TemplateSettings => ({
  name,
  source,
  engine: 'handlebars',
  format: 'txt',
  extension: 'txt',
  mediaType: 'text/plain',
  defaults: {},
  page: { size: ['210mm', '297mm'], margin: ['0', '0', '0', '0'] },
  image: { width: 100, scale: 1, jpegQuality: 80, transparent: false },
})

test('the time in which a thread reads all templates is not counted as that of a file', async () => {
  const folder = await temporaryFolder()
  const file = join(folder.path, 'greeting.txt')
  await writeFile(file, 'Hello {{name}}')
  // For each of many items all of them: far more than a file has time for.
  const endless = '{{#with many}}{{#each .}}{{#each ../.}}{{/each}}{{/each}}{{/with}}'
  const timeoutMs = 3000
  const filler = await startTemplateFiller({
    settings: {
      templates: [template('greeting', { file }), template('endless', { text: endless })],
      partials: {},
      reload: false,
    },
    timeoutMs,
    onReload: () => undefined,
  })
  onTestFinished(async () => {
    await filler.close()
    await folder.remove()
  })
  const textOf = async (name: string, params: object) => {
    const bytes = Buffer.from(JSON.stringify({ template: name, params, filename: 'x.txt' }))
    const opened = await filler.open({ kind: 'json', bytes })
    const piece = await opened.next()
    opened.close()
    return Buffer.from(piece ?? []).toString()
  }

  // The next thread reads from a pipe, which has its text later than a file may take.
  await rm(file)
  await promisify(execFile)('mkfifo', [file])
  const many = Array.from({ length: 50_000 }, () => 1)
  await expect(textOf('endless', { many })).rejects.toMatchObject({ code: 'FILE_TIMEOUT' })
  const text = textOf('greeting', { name: 'Ada' })
  const pipe = await open(file, 'w')
  await wait(timeoutMs + 500)
  await pipe.writeFile('Welcome {{name}}')
  await pipe.close()
  expect(await text).toBe('Welcome Ada')
})
