import { useEffect, useEffectEvent, useState } from 'react'
import { useSearchParams } from '#app/ui/frame/address.ts'
import { onceSettled } from '#app/ui/overlays/overlay-history.ts'
import { useDeviceFact } from '#app/ui/device/device-facts.ts'

export type ReceiptAddress = {
  id: string | undefined
  isOpen: boolean
  open: (id: string) => void
  close: () => void
}

/** Marks a history entry that was added for the receipt; closing the receipt then goes back. */
const ABOVE = { above: true }

const isAbove = () =>
  typeof history.state === 'object' && history.state !== null && 'above' in history.state

/**
 * `?receipt=<id>` opens a receipt over the screen. Back closes the receipt; closing it in another
 * way removes its history entry.
 */
export function useReceiptAddress(): ReceiptAddress {
  const [search, setSearch] = useSearchParams()
  const given = search.get('receipt') ?? undefined
  // Undefined at first: the server renders no sheets, and the browser's first render must equal the
  // server's markup.
  const id = useDeviceFact({ onDevice: () => given, onPage: () => undefined })
  const [closing, setClosing] = useState<string>()
  if (closing !== undefined && closing !== id) setClosing(undefined)
  const isClosing = closing !== undefined
  const change = (receipt: string | undefined, options: { replace?: boolean; state?: object }) =>
    setSearch((before) => {
      const next = new URLSearchParams(before)
      if (receipt === undefined) next.delete('receipt')
      else next.set('receipt', receipt)
      return next
    }, options)
  const leave = useEffectEvent(() =>
    isAbove() ? history.back() : change(undefined, { replace: true }),
  )
  useEffect(() => {
    // Runs once the sheet has removed its own history entry, because going back earlier would
    // remove that one.
    if (isClosing) queueMicrotask(() => onceSettled(leave))
  }, [isClosing])
  return {
    id,
    isOpen: id !== undefined && !isClosing,
    open: (receipt) => change(receipt, { state: ABOVE }),
    close: () => setClosing(id),
  }
}
