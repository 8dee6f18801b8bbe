import { useEffect, useRef } from 'react'

/**
 * Tells of the payment with which the card holder's bank sent the user back here, once. Its name, and the secret beside it, leave the address
 * bar at once: they belong neither into the history nor into a reload.
 */
export function useReturnedPayment(onReturned: (intentId: string) => void): void {
  const looked = useRef(false)
  useEffect(() => {
    if (looked.current) return
    looked.current = true
    const intentId = new URLSearchParams(location.search).get('payment_intent')
    if (intentId === null) return
    history.replaceState(history.state, '', location.pathname)
    onReturned(intentId)
  }, [onReturned])
}
