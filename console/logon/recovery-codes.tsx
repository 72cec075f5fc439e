interface RecoveryCodesProps {
  readonly codes: readonly string[]
  readonly onKept: () => void
}

/** Recovery codes of a second factor that was just set up. */
export function RecoveryCodes({ codes, onKept }: RecoveryCodesProps) {
  return (
    <main className="logon">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          onKept()
        }}
      >
        <h1>Keep your recovery codes</h1>
        <p>
          You are logged on. Each of these codes replaces one of the authenticator app once, if you lose it.
          They are not shown again.
        </p>
        <ul>
          {codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ul>
        <button type="submit">I have kept them</button>
      </form>
    </main>
  )
}
