import { useEffect } from 'react'
import { sayAlive } from './alive-event.ts'

/** Beside a screen: says that it answers to what people do, so that what they did before is made good. */
export function Alive() {
  useEffect(sayAlive, [])
  return null
}
