/** JSON in another form, each number and text exactly as it is written: parsing would change large numbers. */

const token = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g

/** With a line for each member; undefined if it is not JSON. */
export function indentedJson(text: string): string | undefined {
  const tokens = tokensOf(text)
  if (tokens === undefined) return undefined
  let depth = 0
  let result = ''
  const line = () => `\n${'  '.repeat(depth)}`
  for (const [index, part] of tokens.entries()) {
    const isEmpty = (part === '{' || part === '[') && '}]'.includes(tokens[index + 1] ?? ' ')
    const closesEmpty = (part === '}' || part === ']') && '{['.includes(tokens[index - 1] ?? ' ')
    if (isEmpty || closesEmpty) result += part
    else if (part === '{' || part === '[') {
      depth += 1
      result += part + line()
    } else if (part === '}' || part === ']') {
      depth -= 1
      result += line() + part
    } else if (part === ',') result += part + line()
    else result += part === ':' ? ': ' : part
  }
  return result
}

/** Without blanks; undefined if it is not JSON. */
export function compactJson(text: string): string | undefined {
  return tokensOf(text)?.join('')
}

function tokensOf(text: string): readonly string[] | undefined {
  try {
    JSON.parse(text)
  } catch {
    return undefined
  }
  return text.match(token) ?? []
}
