/** A template for JSON objects: what all objects of a shape have in common, serialized once. */
export interface ObjectTemplate<Part> {
  /** The parts, each with the constant text before it, as bytes and as text. */
  readonly parts: readonly (Part & Label)[]
  /** The constant text after the last part. */
  readonly end: Buffer
}

interface Label {
  readonly label: Buffer
  readonly labelText: string
}

/** The members of an object: their values are written, or are JSON constants. */
export function objectTemplate<Shape, Part extends object>(
  members: readonly { readonly key: string; readonly shape: Shape }[],
  partOf: (shape: Shape, key: string) => Part | string,
): ObjectTemplate<Part> {
  const parts: (Part & Label)[] = []
  let text = '{'
  for (const [index, { key, shape }] of members.entries()) {
    // A response key is a GraphQL name, which needs no escaping.
    text += `${index === 0 ? '' : ','}"${key}":`
    const part = partOf(shape, key)
    if (typeof part === 'string') {
      text += part
      continue
    }
    parts.push({ ...part, label: Buffer.from(text), labelText: text })
    text = ''
  }
  return { parts, end: Buffer.from(`${text}}`) }
}
