import type { FastifyRequest } from 'fastify'
import type { PageFacts } from '#contract/page-data.ts'
import { language } from '#words/language.ts'
import { deviceCookie } from '#server/own-address.ts'

export function pageFacts(
  { cookies, headers }: Pick<FastifyRequest, 'cookies' | 'headers'>,
  { at, since }: { at: Date; since: string },
): PageFacts {
  const theme = deviceCookie(cookies, 'theme')
  return {
    at: at.toISOString(),
    since,
    timeZone: knownZone(deviceCookie(cookies, 'time-zone')),
    language: language(),
    theme: theme === 'light' || theme === 'dark' ? theme : 'system',
    hidesBalance: deviceCookie(cookies, 'hide-balance') === 'yes',
    hidesFirstSteps: deviceCookie(cookies, 'first-steps') === 'hidden',
    // Browsers without this header are sent what a phone shows.
    isDesk: headers['sec-ch-ua-mobile'] === '?0',
    hasFont: deviceCookie(cookies, 'font') === 'fetched',
  }
}

/**
 * The zone's canonical name; null on a first visit and for an unknown name, such as the
 * 'Etc/Unknown' of some browsers.
 */
function knownZone(name: string | undefined): string | null {
  if (name === undefined || name === '') return null
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}
