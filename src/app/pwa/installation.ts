/**
 * True on iPhones and iPads, which make no offer: the app is installed from the share menu. An iPad
 * identifies itself as a Mac, but has a touch screen.
 */
export function needsShareMenu(): boolean {
  return isAppleTouch(navigator)
}

export function isAppleTouch({
  userAgent,
  maxTouchPoints,
}: Pick<Navigator, 'userAgent' | 'maxTouchPoints'>): boolean {
  return /iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1)
}
