/**
 * Takes the pictures of the console in the README, in both themes: `node test/real/console/take-pictures.ts`.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { openJournal } from '../../../cli/console/console.ts'
import { findProviders } from '../../../sandbox/providers/find-providers.ts'
import { systemClock } from '../../../shared/clock/clock.ts'
import { browserProgram } from '../programs/browser-program.ts'
import { writeJournal } from './journal-file.ts'
import { openBrowser } from './open-browser.ts'

const folder = join(import.meta.dirname, '../../../docs/pictures')
const link =
  '?shoot=shoot--dev--rose-005&at=2026-11-21T02:53:30Z&node=Infrastructure+shoot--dev--rose-005/rose-005'

const { chromium } = await browserProgram(process.env)
const journal = await writeJournal()
const server = await openJournal({
  ...{ file: journal.file, port: 0, clock: systemClock },
  providers: await findProviders(),
})
await mkdir(folder, { recursive: true })
for (const colorScheme of ['dark', 'light'] as const) {
  const browser = await openBrowser(chromium, { colorScheme })
  const page = await browser.open(`${server.url}${link}`)
  await page.setViewportSize({ width: 1120, height: 580 })
  await page.locator('.manifest').waitFor()
  await page.getByRole('button', { name: /^By cause/ }).click()
  await page.mouse.move(640, 1)
  await page.screenshot({ path: join(folder, `console-${colorScheme}.png`), animations: 'disabled' })
  await browser.close()
}
await server.close()
await journal.remove()
