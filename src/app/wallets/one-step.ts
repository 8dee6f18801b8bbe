import { useCallback, useEffect, useRef } from 'react'
import { WalletProblem } from './provider.ts'

/** At most one step runs: beginning another ends it, and so does leaving the screen. */
export function useOneStep(): { begin: () => AbortSignal; end: (problem?: WalletProblem) => void } {
  const running = useRef<AbortController>(undefined)
  const end = useCallback((problem = new WalletProblem('canceled')) => running.current?.abort(problem), [])
  const begin = useCallback(() => {
    end()
    running.current = new AbortController()
    return running.current.signal
  }, [end])
  useEffect(() => () => end(), [end])
  return { begin, end }
}
