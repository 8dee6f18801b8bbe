import type { Locator } from 'playwright-core'

/** The product's colors in the light theme, as the browser computes them. */
export const GREEN = 'rgb(10, 107, 67)'
export const LOSS = 'rgb(179, 38, 26)'
export const YELLOW = 'rgb(122, 79, 0)'
export const BLUE = 'rgb(11, 92, 138)'
/** The ink of secondary text. */
export const NEUTRAL = 'rgb(87, 82, 74)'

export async function colourOf(locator: Locator): Promise<string> {
  return locator.evaluate((element) => getComputedStyle(element).color)
}

export async function backgroundOf(locator: Locator): Promise<string> {
  return locator.evaluate((element) => getComputedStyle(element).backgroundColor)
}
