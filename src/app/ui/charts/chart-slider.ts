import type { KeyboardEvent } from 'react'

/** Properties of the slider of a chart, which selects points by arrow keys and reads them out. */
export function chartSlider({
  label,
  valueText,
  count,
  index,
  onChoose,
}: {
  /** `label`: the whole chart in one sentence; `text`: the selected point in words. */
  label: string
  valueText: string | undefined
  count: number
  index: number | undefined
  onChoose: (index: number | undefined) => void
}) {
  const last = Math.max(0, count - 1)
  return {
    role: 'slider',
    tabIndex: 0,
    'aria-label': label,
    'aria-valuemin': 0,
    'aria-valuemax': last,
    'aria-valuenow': index ?? last,
    'aria-valuetext': valueText,
    onBlur: () => onChoose(undefined),
    onKeyDown: (event: KeyboardEvent) => {
      const step = stepOf(event.key, count)
      if (step === undefined) return
      event.preventDefault()
      onChoose(Math.max(0, Math.min(last, (index ?? last) + step)))
    },
  } as const
}

function stepOf(key: string, count: number): number | undefined {
  const page = Math.max(1, Math.round(count / 10))
  const steps: Record<string, number> = {
    ArrowLeft: -1,
    ArrowRight: 1,
    ArrowDown: -1,
    ArrowUp: 1,
    PageDown: -page,
    PageUp: page,
    Home: -count,
    End: count,
  }
  return steps[key]
}
