const longest = { name: 200, value: 80 }

/** A name as messages show it: long ones are truncated. */
export function shortName(name: string): string {
  return shortened(name, longest.name)
}

/** A JSON value as messages show it: long ones are truncated. */
export function shortValue(value: unknown): string {
  const text = typeof value === 'bigint' ? value.toString() : (JSON.stringify(value) ?? 'nothing')
  return shortened(text, longest.value)
}

function shortened(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text
}
