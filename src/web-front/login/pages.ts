/** The pages for logging in. */
import { renderSVG } from 'uqr'
import type { DocumentWriter } from '../../http/document.ts'
import { escapeHtml } from '../../http/escape-html.ts'
import { type PageLink, page } from '../../http/page.ts'
import { passkeyScript } from './form/passkey-script.ts'
import type { FormField, LoginForm } from './login-strategy.ts'

/** Asks which login provider to use. */
export function chooserPage(providers: readonly PageLink[]): DocumentWriter {
  const links = providers.map(
    ({ label, url }) => `<li><a class="button" href="${escapeHtml(url)}">${escapeHtml(label)}</a></li>`,
  )
  return page('Log in', `<ul>${links.join('')}</ul>`)
}

/** A login form, with what the page needs. */
export interface ShownForm extends LoginForm {
  readonly action: string
  readonly state: string
  readonly entered: Readonly<Record<string, string>>
  /** What was wrong with the previous entry. */
  readonly mistake?: string
  /** Where the page asks for the options of a passkey; absent if it takes none. */
  readonly passkeyOptions?: string
  /** Where to start again; absent at the first form. */
  readonly restart?: string
}

/** The page of a login form. */
export function formPage(form: ShownForm): DocumentWriter {
  const { title, text, action, fields, state, entered, mistake, restart, setUp, passkeyOptions } = form
  const alert = mistake === undefined ? '' : `<p role="alert" id="mistake">${escapeHtml(mistake)}</p>`
  const paragraph = text === undefined ? '' : `<p>${escapeHtml(text)}</p>`
  const first = mistake === undefined ? fields.find(({ name }) => (entered[name] ?? '') === '') : undefined
  const inputs = fields.map((field) => fieldOf(field, form, field === first))
  const link = restart === undefined ? '' : `<p><a href="${escapeHtml(restart)}">Start again</a></p>`
  const content =
    `${alert}${paragraph}${setUp === undefined ? '' : secretOf(setUp)}<form method="post" action="${escapeHtml(action)}">` +
    `<input type="hidden" name="state" value="${escapeHtml(state)}">${inputs.join('')}` +
    `<button class="button" type="submit">Log in</button>`
  if (passkeyOptions === undefined) return page(title, `${content}</form>${link}`)
  return page(title, (nonce) => `${content}${passkeyPart(passkeyOptions)}</form>${link}${scriptOf(nonce)}`)
}

/** Hidden until the script finds that passkeys can be used. */
function passkeyPart(optionsPath: string): string {
  return (
    '<input type="hidden" name="passkey" autocomplete="off">' +
    `<button class="button other" type="button" id="use-passkey" data-options="${escapeHtml(optionsPath)}" hidden>Use a passkey</button>` +
    '<p id="passkey-note" role="status" hidden></p>'
  )
}

function scriptOf(nonce: string): string {
  return `<script type="module" nonce="${nonce}">${passkeyScript}</script>`
}

function fieldOf(
  { name, label, type, autocomplete }: FormField,
  { entered, mistake }: ShownForm,
  hasFocus: boolean,
): string {
  const kind = type === 'code' ? 'type="text" inputmode="numeric"' : `type="${type}"`
  const value = type === 'text' ? ` value="${escapeHtml(entered[name] ?? '')}"` : ''
  const focus = hasFocus ? ' autofocus' : ''
  const invalid = mistake === undefined ? '' : ' aria-describedby="mistake"'
  return (
    `<label for="${name}">${escapeHtml(label)}</label>` +
    `<input id="${name}" name="${name}" ${kind} autocomplete="${autocomplete}" autocapitalize="none" spellcheck="false" required${value}${focus}${invalid}>`
  )
}

/** The secret for an authenticator app: as a QR code, as text, and as a link for an app on the same device. */
function secretOf({ secret, uri }: NonNullable<LoginForm['setUp']>): string {
  const picture = `data:image/svg+xml,${encodeURIComponent(renderSVG(uri, { border: 4 }))}`
  const groups = secret.replaceAll(/.{4}(?=.)/g, '$& ')
  return (
    `<p><img src="${picture}" alt="QR code of the key" width="200" height="200"></p>` +
    `<p>Key: <code>${escapeHtml(groups)}</code></p>` +
    `<p><a href="${escapeHtml(uri)}">Open an app on this device</a></p>`
  )
}

/** Shows recovery codes, before the browser goes where it wanted to. */
export function recoveryCodesPage(codes: readonly string[], returnTo: string): DocumentWriter {
  const items = codes.map((code) => `<li><code>${escapeHtml(code)}</code></li>`).join('')
  return page(
    'Keep your recovery codes',
    '<p>You are logged in. Each of these codes replaces one of the authenticator app once, if you lose it. They are not shown again.</p>' +
      `<ul>${items}</ul><p><a class="button" href="${escapeHtml(returnTo)}">I have kept them</a></p>`,
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
