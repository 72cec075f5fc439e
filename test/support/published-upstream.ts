/** A gateway that publishes an upstream API, with an account that may call it. */
import { onTestFinished } from 'vitest'
import { products } from './products.ts'
import { startTestGateway, type TestGateway } from './test-gateway.ts'

export interface PublishedUpstream extends TestGateway {
  /** Creates or replaces a route; 422 and the like fail the test. */
  publish(name: string, route: Readonly<Record<string, unknown>>): Promise<void>
}

/** Starts a gateway for one test, on the first product unless it says another. */
export async function startPublisher(product = products[0]): Promise<PublishedUpstream> {
  const publisher = await openPublisher(product)
  onTestFinished(() => publisher.close())
  return publisher
}

/** Starts a gateway that anyone who asked for it closes. */
export async function openPublisher(product = products[0]): Promise<PublishedUpstream> {
  if (product === undefined) throw new Error('There is no product to test on.')
  const running = await startTestGateway(product)
  return {
    ...running,
    async publish(name, route) {
      const document = { path: '/shop/*', methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'], ...route }
      const { status, body } = await running.request('PUT', `/manage/routes/${name}`, { body: document })
      if (status >= 300) throw new Error(`The route was refused: ${JSON.stringify(body)}`)
    },
  }
}
