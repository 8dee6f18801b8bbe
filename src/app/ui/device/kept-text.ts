import { useSyncExternalStore } from 'react'
import { attempt } from './attempt.ts'
import { storedText, storeText } from './storage.ts'

const PREFIX = 'kept.'

/**
 * The texts of this page, by name. If the browser refuses storage, they are lost only at a reload.
 */
const texts = new Map<string, string>()
const listeners = new Set<() => void>()

// Not on the server, which renders this module too but has no storage.
if (typeof window !== 'undefined') recall()

/**
 * Text that this tab stores until its user signs out. `name` must contain the user's id, so that
 * nobody reads text of another user of the tab.
 */
export function useKeptText(name: string): string | undefined {
  return useSyncExternalStore(
    onChange,
    () => keptText(name),
    () => undefined,
  )
}

export function keptText(name: string): string | undefined {
  return texts.get(name)
}

export function keepText(name: string, text: string): void {
  texts.set(name, text)
  storeText('sessionStorage', PREFIX + name, text)
  announce()
}

export function forgetText(name: string): void {
  texts.delete(name)
  storeText('sessionStorage', PREFIX + name)
  announce()
}

export function forgetKeptTexts(): void {
  for (const name of texts.keys()) forgetText(name)
}

function recall(): void {
  for (const key of attempt(() => Object.keys(sessionStorage)) ?? [])
    if (key.startsWith(PREFIX))
      texts.set(key.slice(PREFIX.length), storedText('sessionStorage', key) ?? '')
}

function announce(): void {
  for (const listener of listeners) listener()
}

function onChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/**
 * The fields of a stored object; none if the text is no object, because another build or an
 * extension may have stored it.
 */
export function fieldsOf(text: string | undefined): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? '{}')
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch (error) {
    console.warn(error)
    return {}
  }
}
