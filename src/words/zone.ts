/** Whether a text names a time zone in which dates can be printed here. Devices report other things too, such as 'Etc/Unknown'. */
export function isTimeZone(name: unknown): name is string {
  if (typeof name !== 'string' || name === '') return false
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }) instanceof Intl.DateTimeFormat
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}
