import { useMemo } from 'react'
import { useDeviceFact } from '#app/ui/device/device-facts.ts'

/** Values typed and not sent yet, by field. Never card data. */
export type Draft = Readonly<Record<string, string>>

const PREFIX = 'draft.'
const listeners = new Set<() => void>()
/** Where the browser forbids storage, drafts last as long as the page. */
const unsaved = new Map<string, string>()

/** A draft of this tab; it survives Back, Forward and a reload. `change` merges fields into it, and without any drops it. */
export function useDraft(name: string): [Draft, (fields?: Draft) => void] {
  const key = `${PREFIX}${name}`
  const text = useDeviceFact({ onDevice: () => read(key), onPage: () => '', subscribe })
  const draft = useMemo(() => parse(text), [text])
  return [draft, (fields) => write(key, fields && JSON.stringify({ ...parse(read(key)), ...fields }))]
}

/** Deletes all drafts: they belong to the user who typed them. */
export function forgetDrafts(): void {
  unsaved.clear()
  try {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key)
  } catch (error) {
    console.warn('Drafts are not stored here.', error)
  }
  notify()
}

function read(key: string): string {
  try {
    return unsaved.get(key) ?? sessionStorage.getItem(key) ?? ''
  } catch {
    // Storage is forbidden, so there is nothing.
    return ''
  }
}

function write(key: string, text = ''): void {
  try {
    sessionStorage.setItem(key, text)
  } catch {
    unsaved.set(key, text)
  }
  notify()
}

function notify(): void {
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function parse(text: string): Draft {
  if (text === '') return {}
  const fields: unknown = JSON.parse(text)
  return typeof fields === 'object' && fields !== null ? Object.fromEntries(Object.entries(fields).filter(([, value]) => typeof value === 'string')) : {}
}
