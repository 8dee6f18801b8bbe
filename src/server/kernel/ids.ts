import { v7 } from 'uuid'

/** UUID version 7: ids sort by creation time. Source: RFC 9562. */
export function newId(): string {
  return v7()
}

export function isId(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)
}

/** The lowest id that can be created at this time; times before 1970 count as 1970. */
export function firstIdAt(atMs: number): string {
  const hex = Math.max(0, atMs).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`
}

/** Creation time of a version 7 id; for any other, the latest possible time. */
export function timeOfId(id: string): Date {
  const isTimed = id[14] === '7'
  return new Date(
    isTimed ? Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) : 8_640_000_000_000_000,
  )
}
