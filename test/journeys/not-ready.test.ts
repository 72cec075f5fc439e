import { expect, test } from 'vitest'
import { anyProduct } from '../support/products.ts'
import { startTestGateway } from '../support/test-gateway.ts'

test.each(anyProduct('SQLite'))(
  '$name: who calls before the gateway is ready is asked to come again',
  async (product) => {
    const answers: unknown[] = []
    const gateway = await startTestGateway(product, undefined, {
      async listening(url) {
        for (const [method, path] of [
          ['GET', '/healthz'],
          ['GET', '/readyz'],
          ['POST', '/logon'],
          ['GET', '/whoami'],
          ['GET', '/nowhere'],
        ] as const) {
          const { status, headers } = await fetch(url + path, { method })
          answers.push([path, status, headers.get('retry-after')])
        }
      },
    })
    await gateway.close()
    expect(answers).toEqual([
      ['/healthz', 200, null],
      ['/readyz', 503, '1'],
      ['/logon', 503, '1'],
      ['/whoami', 503, '1'],
      ['/nowhere', 503, '1'],
    ])
  },
)
