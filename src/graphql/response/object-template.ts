/** A template for JSON objects: what all objects of a shape have in common, serialized once. */
export interface ObjectTemplate<Part> {
  /** The parts, each with the constant text before it, as bytes and as text. */
  readonly parts: readonly (Part & Label)[]
  /** The constant text after the last part. */
  readonly end: Buffer
}

/** The members of an object inside another. */
export interface NestedTemplate<Part> {
  readonly nested: ObjectTemplate<Part>
}

interface Label {
  readonly label: Buffer
  readonly labelText: string
}

/** The members of an object: their values are written, or are JSON constants, or objects with such members. */
export function objectTemplate<Shape, Part extends object>(
  members: readonly { readonly key: string; readonly shape: Shape }[],
  partOf: (shape: Shape, key: string) => Part | NestedTemplate<Part> | string,
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
    if ('nested' in part) {
      for (const inner of part.nested.parts) {
        parts.push(labelled(inner, text + inner.labelText))
        text = ''
      }
      text += part.nested.end.toString()
      continue
    }
    parts.push(labelled(part, text))
    text = ''
  }
  return { parts, end: Buffer.from(`${text}}`) }
}

function labelled<Part>(part: Part, labelText: string): Part & Label {
  return { ...part, label: Buffer.from(labelText), labelText }
}
