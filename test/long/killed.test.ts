import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, expect, test } from 'vitest'
import { type StartedProgram, startProgram } from '../support/start-program.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let program: StartedProgram | undefined
afterEach(async () => {
  await program?.stop('SIGTERM')
  await folder.remove()
})

const definition = (name: string) => ({
  name,
  attributes: {
    identifier: { field_name: 'id', field_type: 'string' },
    local_fields: [{ field_name: 'text', field_type: 'string' }],
    ref_fields: [{ field_name: 'parentId', field_type: 'string', ref_class: name, ref_class_field: 'id' }],
  },
})

async function logon(url: string, report: string): Promise<Record<string, string>> {
  const shown = (label: string) => new RegExp(`^  ${label} +(\\S+)$`, 'm').exec(report)?.[1] ?? ''
  const response = await fetch(`${url}/logon`, {
    method: 'POST',
    headers: { 'x-xaas-api-key': shown('API key'), 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password: shown('password') }),
  })
  const answer = (await response.json()) as Record<string, string>
  return { 'x-xaas-auth-token': answer['x-xaas-auth-token'] ?? '', 'content-type': 'application/json' }
}

test.each([3, 20, 45])(
  'killed after %i acknowledged changes, it starts again with all of them',
  async (count) => {
    folder = await temporaryFolder()
    program = await startProgram(folder.path)
    const { url, report } = program
    const headers = await logon(url, report)
    const post = (path: string, body: unknown) =>
      fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    expect((await post('/manage/entities', definition('Item'))).status).toBe(201)

    const items: string[] = []
    const entities: string[] = []
    let killed: Promise<unknown> | undefined
    const acknowledge = (list: string[], name: string) => {
      list.push(name)
      if (items.length + entities.length === count) killed = program?.stop('SIGKILL')
    }
    const writers = [0, 1, 2, 3].map(async (writer) => {
      for (let number = 0; killed === undefined; number += 1) {
        const name = `w${writer}n${number}`
        if (writer === 0) {
          if ((await post('/manage/entities', definition(`Entity${name}`))).status === 201)
            acknowledge(entities, `Entity${name}`)
        } else if ((await post('/apis/items', { id: name, text: 'x'.repeat(100) })).status === 201)
          acknowledge(items, name)
      }
    })
    await Promise.allSettled(writers)
    await killed

    const file = join(folder.path, 'gatehouse.sqlite')
    expect(readdirSync(folder.path)).toContain('gatehouse.sqlite')
    const database = new DatabaseSync(file)
    expect(database.prepare('pragma integrity_check').get()).toEqual({ integrity_check: 'ok' })
    database.close()

    program = await startProgram(folder.path)
    const get = async (path: string) =>
      (await fetch(program?.url + path, { headers })).json() as Promise<{ id: string; name: string }[]>
    const storedItems = (await get('/apis/items')).map(({ id }) => id)
    expect(storedItems).toEqual(expect.arrayContaining(items))
    const storedEntities = (await get('/manage/entities')).map(({ name }) => name)
    expect(storedEntities).toEqual(expect.arrayContaining(entities))

    // Every definition has its table, and every table its definition.
    const { schema } = (await (await fetch(`${program.url}/graphql`, { headers })).json()) as {
      schema: string
    }
    const served = [...schema.matchAll(/^type (\w+)_ /gm)].map(([, name]) => name)
    expect(served.toSorted()).toEqual(storedEntities.toSorted())
  },
)
