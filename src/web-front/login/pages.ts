/** The pages for logging in. */
import type { DocumentWriter } from '../../http/document.ts'
import { escapeHtml } from '../../http/escape-html.ts'
import { type PageLink, page } from '../../http/page.ts'
import type { FormField } from './login-strategy.ts'

/** Asks which login provider to use. */
export function chooserPage(providers: readonly PageLink[]): DocumentWriter {
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
}): DocumentWriter {
  const { action, fields, state, entered, mistake } = form
  const alert = mistake === undefined ? '' : `<p role="alert" id="mistake">${escapeHtml(mistake)}</p>`
  const first = fields.find(({ name }) => (entered[name] ?? '') === '')
  const inputs = fields.map((field) => {
    const { name, label, type, autocomplete } = field
    const value = type === 'text' ? ` value="${escapeHtml(entered[name] ?? '')}"` : ''
    const focus = field === first && mistake === undefined ? ' autofocus' : ''
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
export function firstPasswordPage(form: FirstPasswordForm): DocumentWriter {
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
