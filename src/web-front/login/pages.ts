/** The web front's own pages: plain HTML without scripts. */
import type { FormField } from './login-strategy.ts'

/** Makes a page whose styles carry a nonce. */
export type PageWriter = (nonce: string) => string

/** Asks which login provider to use. */
export function chooserPage(
  providers: readonly { readonly label: string; readonly url: string }[],
): PageWriter {
  const links = providers.map(
    ({ label, url }) => `<li><a class="button" href="${escapeHtml(url)}">${escapeHtml(label)}</a></li>`,
  )
  return page('Log in', `<ul>${links.join('')}</ul>`)
}

/** The login form. */
export function formPage(form: {
  readonly action: string
  readonly fields: readonly FormField[]
  readonly state: string
  readonly entered: Readonly<Record<string, string>>
  /** What was wrong with the previous entry. */
  readonly mistake?: string
}): PageWriter {
  const { action, fields, state, entered, mistake } = form
  const alert = mistake === undefined ? '' : `<p role="alert" id="mistake">${escapeHtml(mistake)}</p>`
  const inputs = fields.map(({ name, label, type, autocomplete }, index) => {
    const value = type === 'text' ? ` value="${escapeHtml(entered[name] ?? '')}"` : ''
    const focus = index === 0 && mistake === undefined ? ' autofocus' : ''
    const invalid = mistake === undefined ? '' : ' aria-describedby="mistake"'
    return (
      `<label for="${name}">${escapeHtml(label)}</label>` +
      `<input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}" autocapitalize="none" spellcheck="false" required${value}${focus}${invalid}>`
    )
  })
  return page(
    'Log in',
    `${alert}<form method="post" action="${escapeHtml(action)}">` +
      `<input type="hidden" name="state" value="${escapeHtml(state)}">${inputs.join('')}` +
      `<button class="button" type="submit">Log in</button></form>`,
  )
}

/** What the page at the link for the first log-in shows. */
export interface FirstPasswordForm {
  readonly action: string
  readonly username: string
  /** As it was entered before. */
  readonly code?: string
  /** What was wrong with the previous entry. */
  readonly mistake?: string
}

/**
 * The form at the link for the first log-in. The code stands behind the `#` of the link, so that no server or log sees it;
 * a script takes it from there, and without scripts people enter it.
 */
export function firstPasswordPage(form: FirstPasswordForm): PageWriter {
  const { action, username, code = '', mistake } = form
  const alert = mistake === undefined ? '' : `<p role="alert" id="mistake">${escapeHtml(mistake)}</p>`
  const passwordInput = (name: string, label: string) =>
    `<label for="${name}">${label}</label>` +
    `<input id="${name}" name="${name}" type="password" autocomplete="new-password" required>`
  const content =
    `<p>Choose the password of the account “${escapeHtml(username)}”. It replaces the one that was printed.</p>${alert}` +
    `<form method="post" action="${escapeHtml(action)}">` +
    `<div id="entry"><label for="code">Code: what follows “#” in the link</label>` +
    `<input id="code" name="code" autocomplete="off" spellcheck="false" required value="${escapeHtml(code)}"></div>` +
    `<input type="text" name="username" autocomplete="username" value="${escapeHtml(username)}" hidden readonly>` +
    passwordInput('next', 'New password, 8 characters or more') +
    passwordInput('again', 'The same again') +
    '<button class="button" type="submit">Set the password and log in</button></form>'
  return page('Welcome to Gatehouse', (nonce) => `${content}<script nonce="${nonce}">${takeCode}</script>`)
}

const takeCode = `
const code = document.getElementById('code')
if (location.hash.length > 1) {
  code.value = location.hash.slice(1)
  history.replaceState(null, '', location.pathname)
}
if (code.value !== '') document.getElementById('entry').hidden = true
`

/** A page that says what has happened, and what can be done. */
export function messagePage(message: {
  readonly title: string
  readonly text: string
  readonly link?: { readonly label: string; readonly url: string }
  /** For support. */
  readonly requestId?: string
}): PageWriter {
  const { title, text, link, requestId } = message
  const anchor =
    link === undefined
      ? ''
      : `<p><a class="button" href="${escapeHtml(link.url)}">${escapeHtml(link.label)}</a></p>`
  const reference = requestId === undefined ? '' : `<p class="small">Reference: ${escapeHtml(requestId)}</p>`
  return page(title, `<p>${escapeHtml(text)}</p>${anchor}${reference}`)
}

function page(title: string, content: string | PageWriter): PageWriter {
  return (nonce) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style nonce="${nonce}">${style}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${typeof content === 'string' ? content : content(nonce)}
</main>
</body>
</html>
`
}

const style = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
body { display: grid; min-height: 100vh; margin: 0; place-items: center }
main { box-sizing: border-box; width: min(24rem, 100%); padding: 1.5rem }
h1 { margin: 0 0 1rem; font-size: 1.5rem }
ul { list-style: none; margin: 0; padding: 0 }
li + li { margin-top: .75rem }
label { display: block; margin: .75rem 0 .25rem }
input { box-sizing: border-box; width: 100%; padding: .6rem; font: inherit; border: 1px solid GrayText; border-radius: .4rem }
.button { display: block; box-sizing: border-box; width: 100%; padding: .6rem; margin-top: 1.25rem; font: inherit; text-align: center; text-decoration: none; color: #fff; background: #1a56b0; border: 0; border-radius: .4rem; cursor: pointer }
li .button { margin-top: 0 }
:focus-visible { outline: 3px solid #1a56b0; outline-offset: 2px }
[role=alert] { padding: .6rem; border-left: 4px solid #b3261e }
.small { font-size: .8rem; overflow-wrap: anywhere }
`

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
