// What this device has chosen and where it is, said to the server in cookies, so that a page is rendered for it. A browser may let a cookie
// end after some days: each visit renews it. Without a network this runs before the first paint: a chosen theme never flashes the other one.
{
  const say = (name, value) => (document.cookie = `${name}=${value}; path=/; samesite=lax; max-age=31536000`)
  say('time-zone', Intl.DateTimeFormat().resolvedOptions().timeZone)
  say('font', 'fetched')
  if (document.cookie.split('; ').includes('hide-balance=yes')) say('hide-balance', 'yes')
  try {
    const theme = localStorage.getItem('theme')
    if (theme === 'light' || theme === 'dark') say('theme', (document.documentElement.dataset.theme = theme))
  } catch {
    // Storage can be switched off; the device's own theme is used then.
    document.documentElement.removeAttribute('data-theme')
  }
}
