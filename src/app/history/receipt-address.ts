import { useSearchParams } from 'wouter'
import { useDeviceFact } from '#app/ui/device/device-facts.ts'

export type ReceiptAddress = {
  /** The id of the receipt in the address. */
  id: string | undefined
  open: (id: string) => void
  close: () => void
}

/** Of an address that was opened from the screen below it: going back leads to that screen. */
const ABOVE = { above: true }

const isAbove = () => typeof history.state === 'object' && history.state !== null && 'above' in history.state

/** `?receipt=<id>` opens a receipt over the screen. Back closes it, and so does closing it otherwise: it leaves no entry behind. */
export function useReceiptAddress(): ReceiptAddress {
  const [search, setSearch] = useSearchParams()
  const given = search.get('receipt') ?? undefined
  // The server renders no sheets, and the first render of the browser must equal its markup.
  const id = useDeviceFact({ onDevice: () => given, onPage: () => undefined })
  const change = (receipt: string | undefined, options: { replace?: boolean; state?: unknown }) =>
    setSearch((before) => {
      const next = new URLSearchParams(before)
      if (receipt === undefined) next.delete('receipt')
      else next.set('receipt', receipt)
      return next
    }, options)
  return {
    id,
    open: (receipt) => change(receipt, { state: ABOVE }),
    close: () => (isAbove() ? history.back() : change(undefined, { replace: true })),
  }
}
