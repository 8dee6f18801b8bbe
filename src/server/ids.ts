import { v7 } from 'uuid'

/** A new id: UUID version 7, so that ids sort by the time they were made. Source: RFC 9562. */
export function newId(): string {
  return v7()
}

/** Whether a text has the form of an id. */
export function isId(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)
}
