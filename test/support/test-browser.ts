/** What a browser got. `body` is parsed where it is JSON. */
export interface Page {
  readonly status: number
  readonly headers: Headers
  readonly location: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came
  readonly body: any
  readonly text: string
}

export interface BrowserRequest {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly form?: Readonly<Record<string, string>>
  /** Fields of a multipart form; a value may be a file. */
  readonly multipart?: readonly (readonly [string, string | Blob])[]
  readonly json?: unknown
}

/** A browser without scripts: it keeps cookies by origin, and follows no redirect by itself. */
export class TestBrowser {
  readonly #home: string
  readonly #jars = new Map<string, Map<string, string>>()

  constructor(home: string) {
    this.#home = home
  }

  /** The cookies of the home origin, by name. */
  get cookies(): Map<string, string> {
    return this.#jarOf(new URL(this.#home).origin)
  }

  async get(address: string, headers: Readonly<Record<string, string>> = {}): Promise<Page> {
    return this.request(address, { headers })
  }

  async request(
    address: string,
    { method, headers, form, multipart, json }: BrowserRequest = {},
  ): Promise<Page> {
    const url = new URL(address, this.#home)
    const jar = this.#jarOf(url.origin)
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const body = multipart
      ? formOf(multipart)
      : form
        ? new URLSearchParams(form).toString()
        : json === undefined
          ? undefined
          : JSON.stringify(json)
    const contentType = form ? 'application/x-www-form-urlencoded' : 'application/json'
    const response = await fetch(url, {
      method: method ?? (form || multipart ? 'POST' : 'GET'),
      redirect: 'manual',
      headers: {
        ...(cookie === '' ? {} : { cookie }),
        ...(body === undefined || multipart ? {} : { 'content-type': contentType }),
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
    })
    for (const line of response.headers.getSetCookie()) keep(jar, line)
    const text = await response.text()
    const isJson = /json/.test(response.headers.get('content-type') ?? '') && text !== ''
    return {
      status: response.status,
      headers: response.headers,
      location: response.headers.get('location') ?? '',
      body: isJson ? JSON.parse(text) : text,
      text,
    }
  }

  /** Goes where redirects lead, over any origin; `stopAt` names the address before which it stops. */
  async follow(
    address: string,
    stopAt: (url: string) => boolean = () => false,
  ): Promise<Page & { readonly url: string }> {
    let url = new URL(address, this.#home).href
    for (let hops = 0; hops < 20; hops++) {
      const page = await this.get(url)
      if (page.status < 300 || page.status >= 400 || page.location === '') return { ...page, url }
      url = new URL(page.location, url).href
      if (stopAt(url)) return { ...page, url }
    }
    throw new Error('Too many redirects.')
  }

  #jarOf(origin: string): Map<string, string> {
    // Cookies know no ports.
    const { hostname } = new URL(origin)
    const jar = this.#jars.get(hostname) ?? new Map<string, string>()
    this.#jars.set(hostname, jar)
    return jar
  }
}

function keep(jar: Map<string, string>, line: string): void {
  const [pair = '', ...attributes] = line.split(';').map((part) => part.trim())
  const [name = '', value = ''] = pair.split(/=(.*)/s, 2)
  const isGone = attributes.some((attribute) => /^(max-age=0|expires=thu, 01 jan 1970)/i.test(attribute))
  if (isGone) jar.delete(name)
  else jar.set(name, value)
}

function formOf(fields: NonNullable<BrowserRequest['multipart']>): FormData {
  const form = new FormData()
  for (const [name, value] of fields) form.append(name, value)
  return form
}
