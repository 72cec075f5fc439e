/** A JSON object in the making: what is the same in all objects of a shape, put together once. */
export interface ObjectTemplate<Part> {
  /** Each with what stands before what it writes, as bytes and as text. */
  readonly parts: readonly (Part & Label)[]
  /** What stands behind the last part. */
  readonly end: Buffer
}

interface Label {
  readonly label: Buffer
  readonly labelText: string
}

/** Members of an object whose values are written, or are constants of JSON. */
export function objectTemplate<Shape, Part extends object>(
  members: readonly { readonly key: string; readonly shape: Shape }[],
  partOf: (shape: Shape) => Part | string,
): ObjectTemplate<Part> {
  const parts: (Part & Label)[] = []
  let text = '{'
  for (const [index, { key, shape }] of members.entries()) {
    // A response key is a GraphQL name: nothing in it needs escaping.
    text += `${index === 0 ? '' : ','}"${key}":`
    const part = partOf(shape)
    if (typeof part === 'string') {
      text += part
      continue
    }
    parts.push({ ...part, label: Buffer.from(text), labelText: text })
    text = ''
  }
  return { parts, end: Buffer.from(`${text}}`) }
}
