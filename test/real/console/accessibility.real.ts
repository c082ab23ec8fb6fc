import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ConsoleServer, openJournal } from '../../../cli/console/console.ts'
import { findProviders } from '../../../sandbox/providers/find-providers.ts'
import { systemClock } from '../../../shared/clock/clock.ts'
import { describeWith } from '../with-part.ts'
import { type JournalFile, writeJournal } from './journal-file.ts'
import { openBrowser } from './open-browser.ts'
import { violationsIn } from './violations-in.ts'

const places = [
  ['tree', '&view=tree'],
  ['tree with details', '&node=Infrastructure+shoot--dev--rose-005/rose-005'],
  ['events', '&node=Infrastructure+shoot--dev--rose-005/rose-005&tab=events'],
  ['steps', '&node=Infrastructure+shoot--dev--rose-005/rose-005&tab=steps'],
  ['timeline', '&view=timeline&node=Infrastructure+shoot--dev--rose-005/rose-005'],
  ['changes', '&view=changes&from=2026-11-21T01:00:00Z'],
  ['cloud', '&view=cloud'],
  ['plan', '&view=plan'],
] as const

describeWith('browser', 'the accessibility of the console', ({ chromium }) => {
  let journal: JournalFile
  let server: ConsoleServer
  beforeAll(async () => {
    journal = await writeJournal()
    const options = { port: 0, providers: await findProviders(), clock: systemClock }
    server = await openJournal({ file: journal.file, ...options })
  })
  afterAll(async () => {
    await server.close()
    await journal.remove()
  })

  test.each(['dark', 'light'] as const)('axe finds no violation in the %s theme', async colorScheme => {
    const browser = await openBrowser(chromium, { colorScheme })
    try {
      for (const [name, link] of places) {
        const page = await browser.open(`${server.url}?shoot=shoot--dev--rose-005${link}`)
        await page.locator('.urgent').waitFor()
        expect(await page.locator('html').getAttribute('data-theme')).toBe(colorScheme)
        for (const dialog of ['', 'causes', 'telephone', '?'] as const) {
          if (dialog === '?') await page.keyboard.press(dialog)
          if (dialog === 'causes') await page.getByRole('button', { name: /^By cause/ }).click()
          await page.setViewportSize({ width: dialog === 'telephone' ? 390 : 1400, height: 860 })
          const violations = await violationsIn(page)
          expect(violations, `${name} ${dialog}`).toEqual([])
        }
        await page.close()
      }
    } finally {
      await browser.close()
    }
  })
})
