import { useEffect } from 'react'
import { ALIVE } from './alive-event.ts'

/** Beside a screen: says that it answers to what people do, so that what they did before is made good. */
export function Alive() {
  useEffect(() => void document.dispatchEvent(new Event(ALIVE)), [])
  return null
}
