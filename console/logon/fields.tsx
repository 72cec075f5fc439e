/** The fields of the forms to log on. */

/** The code of a second factor. */
export function CodeField({ isFirst }: { readonly isFirst: boolean }) {
  return (
    <label>
      {isFirst ? 'Code' : 'Code, or a recovery code'}
      <input
        name="code"
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={100}
        // biome-ignore lint/a11y/noAutofocus: the form has no other field, and follows a form that was sent
        autoFocus
        required
      />
    </label>
  )
}

/** Username and password, and the API key where it is needed. */
export function AccountFields({ asksKey }: { readonly asksKey: boolean }) {
  return (
    <>
      {asksKey ? <SecretField name="apiKey" label="API key" /> : null}
      <label>
        Username
        <input name="username" autoComplete="username" autoCapitalize="none" spellCheck={false} required />
      </label>
      <label>
        Password
        <input name="password" type="password" autoComplete="current-password" required />
      </label>
    </>
  )
}

/** What goes into a header: characters that a header can hold. */
export function SecretField({ name, label }: { readonly name: string; readonly label: string }) {
  return (
    <label>
      {label}
      <input
        name={name}
        type="password"
        autoComplete="off"
        pattern="\s*[!-~]+\s*"
        title="Letters, digits and signs, without blanks"
        required
      />
    </label>
  )
}
