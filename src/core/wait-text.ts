/** A waiting time as people read it, never shorter than it is: '40 seconds', '5 minutes', '23 hours'. */
export function waitText(seconds: number): string {
  if (seconds <= 90) return counted(seconds, 'second')
  return seconds <= 90 * 60 ? counted(seconds / 60, 'minute') : counted(seconds / 3_600, 'hour')
}

function counted(amount: number, unit: string): string {
  const whole = Math.max(1, Math.ceil(amount))
  return `${whole} ${unit}${whole === 1 ? '' : 's'}`
}
