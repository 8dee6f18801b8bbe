import type { FastifyRequest } from 'fastify'

/** What the page was rendered with, for the app that goes on with it: the moment, and what cookies say of the device. */
export type PageFacts = { at: string; timeZone: string; theme: string; hidesBalance: boolean; hasFont: boolean }

export function pageFacts({ cookies }: Pick<FastifyRequest, 'cookies'>, at: Date): PageFacts {
  const theme = cookies['theme']
  return {
    at: at.toISOString(),
    timeZone: knownZone(cookies['time-zone']),
    theme: theme === 'light' || theme === 'dark' ? theme : 'system',
    hidesBalance: cookies['hide-balance'] === 'yes',
    hasFont: cookies['font'] === 'fetched',
  }
}

/** The zone under its one true name; UTC on a first visit, and for a name that is none. */
function knownZone(name = 'UTC'): string {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone
  } catch (error) {
    if (error instanceof RangeError) return 'UTC'
    throw error
  }
}
