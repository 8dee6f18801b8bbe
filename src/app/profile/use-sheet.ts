import { useState } from 'react'

/** A sheet is loaded when it is first opened, and stays for its closing animation. */
export function useSheet() {
  const [sheet, setSheet] = useState<'never' | 'open' | 'closed'>('never')
  return {
    isLoaded: sheet !== 'never',
    isOpen: sheet === 'open',
    open: () => setSheet('open'),
    close: () => setSheet('closed'),
  }
}
