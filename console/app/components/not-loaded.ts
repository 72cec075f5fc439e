import i18next from 'i18next'
import { notifyFailed } from './notify.ts'

/** A part of the console could not be loaded: the web front does not respond, or has been upgraded since the page was opened. */
export class NotLoaded extends Error {
  constructor(cause: unknown) {
    super(i18next.t('failure.notLoadedText', { ns: 'components' }), { cause })
  }
}

/** The result of loading a part of the console. Throws `NotLoaded`. */
export async function loaded<Part>(part: Promise<Part>): Promise<Part> {
  try {
    return await part
  } catch (error) {
    throw new NotLoaded(error)
  }
}

/** Says in a notice that something could not be loaded. */
export function notifyNotLoaded(error: unknown): void {
  notifyFailed(new NotLoaded(error).message)
}
