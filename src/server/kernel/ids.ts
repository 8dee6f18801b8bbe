import { v7 } from 'uuid'

/** A new id: UUID version 7, so that ids sort by the time they were made. Source: RFC 9562. */
export function newId(): string {
  return v7()
}

/** Whether a text has the form of an id. */
export function isId(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)
}

/** The lowest id that could be made at this time; none is lower than that of 1970. */
export function firstIdAt(atMs: number): string {
  const hex = Math.max(0, atMs).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`
}

/**
 * When an id of version 7 was made; the end of time for any other, because nothing is known about
 * its age.
 */
export function timeOfId(id: string): Date {
  const isTimed = id[14] === '7'
  return new Date(
    isTimed ? Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) : 8_640_000_000_000_000,
  )
}
