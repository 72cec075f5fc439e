/** What the pages of APIs need from the page that shows them. */
import { type ComponentType, createContext, type ReactNode, useContext } from 'react'
import type englishTexts from '../app/apis/messages.en.json'
import type { ApiCall } from './api-call.ts'
import type { Place } from './place.ts'

export type Texts = typeof englishTexts

/** How the gateway is reached with the rights of the reader. */
export interface ApiSource {
  /** The language in which what it reads is described. */
  readonly language: string
  /** Reads JSON of the gateway. Throws an error whose message is for people. */
  readonly read: (path: string, signal: AbortSignal) => Promise<unknown>
  /** Which of some calls the reader may make. */
  readonly allowed: (
    calls: readonly { readonly method: string; readonly path: string }[],
  ) => Promise<readonly boolean[]>
  /** Makes a call as it is, whatever the status of the response. */
  readonly send: (call: ApiCall, signal: AbortSignal) => Promise<Response>
  /** The address of the gateway for clients; undefined if it is not known. */
  readonly gatewayUrl: string | undefined
}

export interface LinkProps {
  readonly to: Place
  readonly className?: string | undefined
  readonly isCurrent?: boolean
  readonly children: ReactNode
}

export interface Apis {
  readonly source: ApiSource
  readonly texts: Texts
  readonly Link: ComponentType<LinkProps>
}

const ApisContext = createContext<Apis | undefined>(undefined)

export const ApisProvider = ApisContext.Provider

/** Only below `ApisProvider`. */
export function useApis(): Apis {
  const apis = useContext(ApisContext)
  if (apis === undefined) throw new Error('No source of APIs is provided here.')
  return apis
}

/** A text with values in place of its names in double braces. */
export function filled(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name] ?? ''))
}
