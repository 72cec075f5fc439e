/** A text in lines of at most `width` characters, each after `indent` blanks; a longer word has a line of its own. */
export function wrapText(text: string, width: number, indent = 0): readonly string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width - indent) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line].map((one) => ' '.repeat(indent) + one)
}
