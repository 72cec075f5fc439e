/** Loads a module of Node.js without the warning that some versions print: that it may change. */
export function loadQuietly<Module>(load: () => Module): Module {
  const { emitWarning } = process
  process.emitWarning = () => undefined
  try {
    return load()
  } finally {
    process.emitWarning = emitWarning
  }
}
