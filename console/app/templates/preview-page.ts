const tags = /<[a-z](?:[^>"']|"[^"]*"|'[^']*')*>/gi

/**
 * A page as its preview shows it: without scripts and links, and with its own styles, which the policy of the console
 * would not let in otherwise. The frame around it is sandboxed besides.
 */
export function previewPage(html: string, nonce: string): string {
  // The policy holds while a text is parsed, too: styles must be in a form that it lets in before.
  const permitted = html
    .replaceAll(/<style\b/gi, `<style nonce="${nonce}"`)
    .replaceAll(tags, (tag) => tag.replace(/\sstyle(?=\s*=)/i, ' data-style'))
  const page = new DOMParser().parseFromString(permitted, 'text/html')
  for (const element of page.querySelectorAll('script, link, base, meta[http-equiv]')) element.remove()
  const rules = [...page.querySelectorAll('[data-style]')].map((element, index) => {
    element.setAttribute('data-preview', String(index))
    // More specific than the rules of the page, as an attribute is.
    return `:is(#preview, [data-preview="${index}"]) { ${element.getAttribute('data-style') ?? ''} }`
  })
  const own = page.createElement('style')
  own.setAttribute('nonce', nonce)
  // What ends the element must not come from within.
  own.textContent = rules.join('\n').replaceAll('<', '\\3c ')
  page.head.append(own)
  return `<!doctype html>${page.documentElement.outerHTML}`
}
