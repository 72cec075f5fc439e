/** A file that is written piece by piece: at once where the browser can, otherwise as a whole when it is complete. */

export interface FileSink {
  /** Whether what is written leaves the memory. */
  readonly isStreamed: boolean
  write(text: string): Promise<void>
  /** Completes the file. */
  close(): Promise<void>
  /** Leaves no file. */
  abort(): Promise<void>
}

/** The part of the File System Access API that is used: https://wicg.github.io/file-system-access/ */
type SavePicker = (options: { readonly suggestedName: string }) => Promise<{
  createWritable(): Promise<WritableFile>
  /** Not in all browsers. */
  remove?(): Promise<void>
}>

interface WritableFile {
  write(text: string): Promise<void>
  close(): Promise<void>
  abort(): Promise<void>
}

/** A file would be longer than what this browser can hold before it saves it. */
export class FileTooLong extends Error {}

/** How much is held where files cannot be written in pieces. */
export const mostHeldBytes = 512 * 1024 * 1024

/**
 * Asks where to save a file; undefined if the answer is nowhere. Where the browser cannot ask, the file goes to its
 * downloads. To be called in response to a click.
 */
export async function openFile(name: string, mediaType: string): Promise<FileSink | undefined> {
  const picker = (window as { readonly showSaveFilePicker?: SavePicker }).showSaveFilePicker
  if (picker === undefined) return downloadedFile(name, mediaType)
  try {
    const handle = await picker({ suggestedName: name })
    const file = await handle.createWritable()
    return {
      isStreamed: true,
      write: (text) => file.write(text),
      close: () => file.close(),
      async abort() {
        await file.abort()
        // The browser made it, or emptied it, when it was chosen.
        await handle.remove?.()
      },
    }
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return undefined
    // A policy of the browser or of the machine forbids it.
    return downloadedFile(name, mediaType)
  }
}

/** Browsers may keep a Blob outside the memory of the page, but not without end. */
function downloadedFile(name: string, mediaType: string): FileSink {
  let parts: Blob[] = []
  let size = 0
  return {
    isStreamed: false,
    async write(text) {
      const part = new Blob([text])
      size += part.size
      if (size > mostHeldBytes) throw new FileTooLong()
      parts.push(part)
    },
    async close() {
      download(name, new Blob(parts, { type: mediaType }))
      parts = []
    },
    async abort() {
      parts = []
    },
  }
}

/** Gives a file to the downloads of the browser. */
export function download(name: string, content: Blob): void {
  const address = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}

/** A name that every system takes as that of a file. */
export function fileName(table: string, ending: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it replaces
  const safe = table.replaceAll(/[\u0000-\u001f<>:"/\\|?*]+/g, '_').slice(0, 100)
  return `${safe}.${ending}`
}
