import { dataOf } from '../api/gateway.ts'

/** The query of a page. */
interface PageQuery {
  readonly limit: number
  readonly after?: string
}

type PageAnswer<Item> = Promise<{ readonly data?: readonly Item[]; readonly response: Response }>

const pageSize = 1000

/** Reads all pages of a list that has at most some thousand items. */
export async function everyPage<Item>(
  read: (query: PageQuery) => PageAnswer<Item>,
): Promise<readonly Item[]> {
  const items: Item[] = []
  let query: PageQuery | undefined = { limit: pageSize }
  while (query !== undefined) {
    const answer: PageAnswer<Item> = read(query)
    items.push(...(await dataOf(answer)))
    const after = nextOf((await answer).response)
    query = after === undefined ? undefined : { limit: pageSize, after }
  }
  return items
}

/** Where the next page of a list begins; undefined for the last one. https://www.rfc-editor.org/rfc/rfc8288 */
function nextOf({ headers }: Response): string | undefined {
  const [, address] = /<([^>]*)>;\s*rel="next"/.exec(headers.get('link') ?? '') ?? []
  if (address === undefined) return undefined
  return new URL(address, 'http://localhost').searchParams.get('after') ?? undefined
}
