import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRisingWorld, createSeller } from '../world/small-book.ts'
import { openProduct, type Product } from '../spec/product.ts'
import type { TestUser } from '../world/world.ts'

let product: Product
let ada: TestUser
beforeAll(async () => {
  product = await openProduct(createRisingWorld())
  ada = await createSeller(product.world, 'ada')
})
afterAll(() => product.close())

const sheet = (page: Page) => page.getByRole('dialog')

async function openSale(): Promise<Page> {
  const { items } = await ada.call('listTransactions', { query: { type: 'trade', q: 'sold' } })
  return product.open(`/history?receipt=${items[0]?.id}`, ada)
}

/** Collects the texts drawn on pictures. */
async function drawnOn(page: Page): Promise<string[]> {
  const texts: string[] = []
  await page.exposeFunction('onText', (text: string) => void texts.push(text))
  await page.evaluate(() => {
    const fill = CanvasRenderingContext2D.prototype.fillText
    CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
      Reflect.get(window, 'onText')(text)
      fill.call(this, text, x, y)
    }
  })
  return texts
}

/** Presses the button and reads width and height of the picture that is saved. */
async function savedSize(page: Page) {
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Share picture' }).click()
  const png = readFileSync(await (await saved).path())
  return [png.readUInt32BE(16), png.readUInt32BE(20)]
}

test('a receipt is shared as a picture, with amounts only if chosen', async () => {
  const page = await openSale()
  const texts = await drawnOn(page)
  await sheet(page).getByText('Share as a picture').click()
  expect(await savedSize(page)).toEqual([1_080, 1_080])
  const bare = texts.splice(0).join(' ')
  expect(bare).toMatch(/^Sold .*[\d.]+%.* Paper money$/)
  expect(bare).not.toContain('$')
  await sheet(page).getByText('Show amounts').click()
  await savedSize(page)
  expect(texts.join(' ')).toContain('$')
  await page.evaluate(() => {
    HTMLCanvasElement.prototype.toBlob = (done) => done(null)
  })
  await page.getByRole('button', { name: 'Share picture' }).click()
  await page.getByText('Not shared').waitFor()
  await page.context().close()
})

test('the code that draws the picture is loaded before the button is pressed', async () => {
  const page = await openSale()
  const isLoaded = page.waitForResponse(
    async (response) =>
      response.url().endsWith('.js') && (await response.text()).includes('trading-bot.png'),
  )
  await sheet(page).getByText('Share as a picture').click()
  expect((await isLoaded).ok()).toBe(true)
  await page.context().close()
})

test('a picture that the device may not share any more is saved', async () => {
  const page = await openSale()
  await page.evaluate(() => {
    navigator.canShare = () => true
    navigator.share = () => Promise.reject(new DOMException('', 'NotAllowedError'))
  })
  await sheet(page).getByText('Share as a picture').click()
  expect(await savedSize(page)).toEqual([1_080, 1_080])
  await page.context().close()
})
