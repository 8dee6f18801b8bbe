/**
 * Browsers that report nonsense, or refuse. Each runs in the page before its scripts, with the id
 * of the signed-in user.
 */
export const ODD_DEVICES = {
  'that denies everything': () => {
    const deny = () => {
      throw new DOMException('denied', 'SecurityError')
    }
    for (const name of ['localStorage', 'sessionStorage', 'indexedDB'])
      Object.defineProperty(window, name, { get: deny })
    Object.defineProperty(document, 'cookie', { get: deny, set: deny })
    Object.defineProperty(navigator, 'languages', { get: () => undefined })
    Object.defineProperty(window, 'BroadcastChannel', { value: deny })
    const { resolvedOptions } = Intl.DateTimeFormat.prototype
    Intl.DateTimeFormat.prototype.resolvedOptions = function (this: Intl.DateTimeFormat) {
      return { ...resolvedOptions.call(this), timeZone: 'Etc/Unknown' }
    }
  },
  'that is full, describes nothing, and lives in 1980': () => {
    const fail = () => {
      throw new DOMException('full', 'QuotaExceededError')
    }
    Object.defineProperty(window, 'localStorage', { value: null })
    Storage.prototype.setItem = fail
    IDBFactory.prototype.open = fail
    Object.defineProperty(navigator, 'languages', { value: [42, '\0', 'not a language'] })
    Intl.DateTimeFormat.prototype.resolvedOptions = fail
    const [RealDate, years] = [Date, -46 * 31_556_952_000]
    window.Date = class extends RealDate {
      constructor(...given: []) {
        if (given.length === 0) super(RealDate.now() + years)
        else super(...given)
      }
      static override now = () => RealDate.now() + years
    } as DateConstructor
  },
  'that holds nonsense, and lives in 2099': (userId: string) => {
    for (const [place, text] of [
      [localStorage, '\ud800{'],
      [sessionStorage, '{"typed":[null'],
      [sessionStorage, 'null'],
    ] as const) {
      for (const key of [
        'theme',
        'install-dismissed-at',
        'protect-offer',
        'reloaded-for-a-screen-at',
        `kept.new-bot.${userId}`,
        `kept.deposit.${userId}`,
        `kept.withdrawal.${userId}`,
      ]) {
        if (!key.startsWith('kept.deposit') || text !== 'null') place.setItem(key, text)
      }
    }
    document.cookie = 'language=%00; path=/'
    document.cookie = 'theme=[]; path=/'
    document.cookie = 'kept=x; path=/'
    Object.defineProperty(navigator, 'languages', { value: [] })
    const { resolvedOptions } = Intl.DateTimeFormat.prototype
    Intl.DateTimeFormat.prototype.resolvedOptions = function (this: Intl.DateTimeFormat) {
      return { ...resolvedOptions.call(this), timeZone: 'Mars/Olympus; path=/x' }
    }
    const [RealDate, years] = [Date, 73 * 31_556_952_000]
    window.Date = class extends RealDate {
      constructor(...given: []) {
        if (given.length === 0) super(RealDate.now() + years)
        else super(...given)
      }
      static override now = () => RealDate.now() + years
    } as DateConstructor
  },
} as const satisfies Record<string, (userId: string) => void>
