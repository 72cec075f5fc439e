import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { startJsonServer } from '../support/json-server.ts'
import { startPublisher } from '../support/published-upstream.ts'

const page = fileURLToPath(new URL('../../docs/publish-an-upstream-api.md', import.meta.url))

test('each command on how to publish an upstream API answers what the page says', async () => {
  const markdown = await readFile(page, 'utf8')
  const [, records = ''] = /^echo '(.*)' > db\.json$/m.exec(markdown) ?? []
  const upstream = await startJsonServer(JSON.parse(records))
  const { url, token } = await startPublisher()
  const blocks = [...markdown.matchAll(/^```sh\n([\s\S]*?)\n```$/gm)].map(([, text = '']) => text)
  const script = [
    'set -eu',
    "curl() { command curl \"$@\" | node -p \"const text = fs.readFileSync(0, 'utf8').trim(); text.startsWith('{') || text.startsWith('[') ? JSON.stringify(JSON.parse(text)) : text\"; }",
    `PATH="${process.execPath.replace(/\/[^/]+$/, '')}:$PATH"`,
    `URL=${url} TOKEN='${token}' UPSTREAM=${upstream}`,
    ...blocks,
  ].join('\n')
  const { stdout } = await promisify(execFile)('bash', ['-c', script])
  const answers = stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => (line === '' ? line : (JSON.parse(line) as unknown)))
  const timeout = { connect: 5, response: 30, idle: 300 }
  const shop = {
    path: '/shop/*',
    prefix: '/shop',
    methods: ['GET', 'POST', 'PATCH', 'DELETE'],
    scope: 'protected',
  }
  expect(answers).toEqual([
    { name: 'shop', ...shop, target: upstream, timeout },
    { id: 1, name: 'apple' },
    { id: 3, name: 'plum' },
    401,
    { name: 'open-items', path: '/shop/items/:id', methods: ['GET'], scope: 'public' },
    { id: 2, name: 'pear' },
    {
      name: 'shop',
      ...shop,
      target: [upstream, 'http://127.0.0.1:1'],
      health: { path: '/items', interval: 5, timeout: 5, threshold: 2 },
      timeout: { ...timeout, response: 10 },
    },
    [{ id: 2, name: 'pear' }],
    '',
    404,
  ])
})
