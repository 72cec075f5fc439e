/** Long lists of the gateway and of the web front come in pages; the header `Link` leads to the next one (RFC 8288). */

/** How many rows a list shows at a time. */
export const pageSize = 50

/** A page of a list. */
export interface ListPage<Item> {
  readonly items: readonly Item[]
  /** The parameter `after` of the next page; undefined for the last one. */
  readonly next: string | undefined
}

/** The page in a response of `gateway`. */
export async function pageOf<Item>(
  answer: Promise<{ readonly data?: readonly Item[]; readonly response: Response }>,
): Promise<ListPage<Item>> {
  const { data = [], response } = await answer
  return { items: data, next: nextIn(response.headers.get('link')) }
}

/** The parameter `after` of the next page in a header `Link`; undefined without one. */
export function nextIn(link: string | null): string | undefined {
  const [, address] = /<([^>]*)>\s*;\s*rel="next"/.exec(link ?? '') ?? []
  if (address === undefined) return undefined
  return new URL(address, 'http://gateway').searchParams.get('after') ?? undefined
}
