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
