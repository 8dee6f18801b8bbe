/** Opened from the home screen, as an app of its own. */
export function installedAlready(): boolean {
  const isAppleApp = 'standalone' in navigator && navigator.standalone === true
  return isAppleApp || matchMedia('(display-mode: standalone)').matches
}

/** iPhones and iPads offer nothing by themselves: their owner installs from the share menu. An iPad says that it is a Mac, but has a touch screen. */
export function needsShareMenu(): boolean {
  return isAppleTouch(navigator)
}

export function isAppleTouch({ userAgent, maxTouchPoints }: Pick<Navigator, 'userAgent' | 'maxTouchPoints'>): boolean {
  return /iPhone|iPad|iPod/.test(userAgent) || (userAgent.includes('Macintosh') && maxTouchPoints > 1)
}
