import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Something that must not be reached: it listens on all addresses of this machine, for TCP and UDP. */
export interface Canary {
  readonly port: number
  /** What reached it: paths of requests, or the kind of contact. */
  readonly hits: readonly string[]
  /** Has a page served, and gives its address; asking for it is no hit. */
  serve(page: string): string
  close(): Promise<void>
}

export async function startCanary(): Promise<Canary> {
  const hits: string[] = []
  let served = ''
  const server = createServer((request, response) => {
    if (request.url === '/served') {
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end(served)
      return
    }
    hits.push(request.url ?? '')
    response.writeHead(200, { 'access-control-allow-origin': '*', 'content-type': 'text/html' })
    response.end('CANARY-CONTENT')
  })
  let connections = 0
  server.on('connection', () => {
    connections += 1
    if (connections === 1) hits.push('a connection')
  })
  server.on('upgrade', (request, socket) => {
    hits.push(request.url ?? '')
    socket.destroy()
  })
  server.listen(0)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const udp = createSocket({ type: 'udp6', ipv6Only: false })
  udp.on('message', () => hits.push('a datagram'))
  udp.bind(port)
  await once(udp, 'listening')
  return {
    port,
    hits,
    serve(page) {
      served = page
      return `http://127.0.0.1:${port}/served`
    },
    async close() {
      udp.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** A page that tries everything: each channel asks for its own path. `file` holds a secret. */
export function hostilePage(port: number, file: string): string {
  const at = (name: string, host = '127.0.0.1') => `http://${host}:${port}/${name}`
  return `<!doctype html><html manifest="${at('manifest-attribute')}"><head><title>hostile</title>
<link rel="stylesheet" href="${at('stylesheet')}"><link rel="preload" as="image" href="${at('preload')}">
<link rel="prefetch" href="${at('prefetch')}"><link rel="preconnect" href="${at('')}">
<link rel="dns-prefetch" href="//canary.example"><link rel="manifest" href="${at('manifest')}">
<link rel="icon" href="${at('icon')}"><link rel="modulepreload" href="${at('modulepreload')}">
<script type="speculationrules">{"prefetch":[{"source":"list","urls":["${at('speculation')}"]}]}</script>
<style>
@import url("${at('import')}"); @import "file://${file}";
@font-face { font-family: far; src: url("${at('font')}") }
body { font-family: far, sans-serif; background: url("${at('background')}"); cursor: url("${at('cursor')}"), auto }
li { list-style-image: url("${at('list')}") } p::before { content: url("${at('content')}") }
div { mask-image: url("${at('mask')}"); filter: url("${at('filter')}#f"); border-image-source: url("${at('border')}") }
@page { background: url("${at('page')}"); @top-left { content: url("${at('margin')}") } }
</style></head><body onload="document.body.append('SCRIPT-RAN')"><p>VISIBLE</p><ul><li>x</ul><div>y</div>
<img src="${at('image')}" srcset="${at('srcset')} 2x" onerror="document.body.append('SCRIPT-RAN')">
<img src="${at('localhost', 'localhost')}"><img src="${at('v6', '[::1]')}"><img src="${at('mapped', '[::ffff:127.0.0.1]')}">
<img src="${at('decimal', '2130706433')}"><img src="${at('any', '0.0.0.0')}"><img src="${at('short', '127.1')}">
<img src="file://${file}"><picture><source srcset="${at('source')}"><img src="x"></picture>
<iframe src="${at('iframe')}"></iframe><iframe src="file://${file}"></iframe><iframe src="view-source:file://${file}"></iframe>
<iframe src="view-source:${at('view-source')}"></iframe><iframe src="file:///etc/passwd"></iframe>
<iframe src="data:text/html,<img src=${at('data-frame')}><iframe src=file://${file}></iframe><script>fetch('${at('data-script')}')</script>"></iframe>
<iframe srcdoc="<img src='${at('srcdoc')}'><script>fetch('${at('srcdoc-script')}')</script>"></iframe>
<iframe src="javascript:fetch('${at('javascript')}')"></iframe><iframe src="chrome://version"></iframe>
<object data="${at('object')}"></object><object data="file://${file}"></object><embed src="${at('embed')}"><embed src="file://${file}">
<video src="${at('video')}" poster="${at('poster')}" autoplay></video><audio src="${at('audio')}" autoplay></audio>
<input type="image" src="${at('input')}"><body background="${at('body')}"><table background="${at('table')}"><tr><td>z</table>
<iframe name="elsewhere"></iframe><form id="f" action="${at('form')}" target="elsewhere"><button autofocus>go</button></form>
<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image href="${at('svg-image')}"/><use href="${at('svg-use')}#a"/>
<filter id="q"><feImage href="${at('fe-image')}"/></filter><rect width="9" height="9" filter="url(#q)"/>
<foreignObject><iframe src="${at('foreign')}"></iframe></foreignObject><script>fetch('${at('svg-script')}')</script></svg>
<script src="${at('script')}"></script>
<script>
document.body.append('SCRIPT-RAN')
fetch('${at('fetch')}').catch(() => {}); navigator.sendBeacon('${at('beacon')}')
new EventSource('${at('events')}'); new WebSocket('ws://127.0.0.1:${port}/socket')
new Worker(URL.createObjectURL(new Blob(["fetch('${at('worker')}');new WebSocket('ws://127.0.0.1:${port}/worker-socket')"])))
const rtc = new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:${port}' }] })
rtc.createDataChannel('x'); rtc.createOffer().then((offer) => rtc.setLocalDescription(offer))
fetch('file://${file}').then((r) => r.text()).then((t) => document.body.append(t)).catch(() => {})
try { localStorage.setItem('left', 'STORED') } catch {}
open('${at('open')}'); document.forms.f.submit()
</script></body></html>`
}

/** A page that goes elsewhere by itself, to each of some addresses. */
export function leavingPages(port: number, file: string): readonly string[] {
  const addresses = [
    `http://127.0.0.1:${port}/refresh`,
    `file://${file}`,
    `view-source:file://${file}`,
    `data:text/html,<img src=http://127.0.0.1:${port}/refresh-data>`,
    `javascript:fetch('http://127.0.0.1:${port}/refresh-script')`,
  ]
  return addresses.map((address) => refreshingPage(`0; url=${address}`))
}

/** A page that leaves after some seconds, as `content` says. */
export function refreshingPage(content: string): string {
  return `<!doctype html><meta http-equiv="refresh" content="${content}"><p>VISIBLE</p>`
}
