import { attempt } from './attempt.ts'

/** The device's time zone; null if dates cannot be printed in it, as in 'Etc/Unknown'. */
export function deviceTimeZone(): string | null {
  const { timeZone } =
    attempt(() =>
      new Intl.DateTimeFormat('en', {
        timeZone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
      }).resolvedOptions(),
    ) ?? {}
  return timeZone ?? null
}

export function deviceLanguages(): string[] {
  const languages = attempt(() => [...navigator.languages]) ?? []
  return languages.filter((tag) => typeof tag === 'string')
}
