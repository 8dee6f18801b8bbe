import { v7 } from 'uuid'

/** A new id: UUID version 7, so that ids sort by the time they were made. Source: RFC 9562. */
export function newId(): string {
  return v7()
}
