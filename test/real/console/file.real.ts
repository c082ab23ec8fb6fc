import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { exportJournal, openJournal } from '../../../cli/console/console.ts'
import { findProviders } from '../../../sandbox/providers/find-providers.ts'
import { systemClock } from '../../../shared/clock/clock.ts'
import { describeWith } from '../with-part.ts'
import { type JournalFile, writeJournal } from './journal-file.ts'
import { type OpenBrowser, openBrowser } from './open-browser.ts'

/** Names and texts that would run as a script if they became markup. */
const attacks = [
  '<img src=x onerror=window.attacked=1>',
  '</script><script>window.attacked=1</script>',
  '"><svg onload=window.attacked=1>',
  'javascript:window.attacked=1//',
  '\u001b[31mred\u001b[0m',
]

/** Puts an attack wherever a journal has text of others: names, errors, calls, arguments, events. */
const withAttacks = (journal: string): string => {
  const text = JSON.stringify(attacks.join(' ')).slice(1, -1)
  return journal
    .replaceAll('You have reached the limit', text)
    .replaceAll('ec2 DescribeSubnets', text)
    .replaceAll('NatGatewayLimitExceeded', text)
    .replaceAll('"name":"rose-005', `"name":"${text}`)
    .replaceAll('shoot--dev--rose-005/rose-005', `shoot--dev--rose-005/${text}`)
    .replaceAll('aws-eu1', text)
    .replaceAll('trellis record 1.2.3', text)
}

describeWith('browser', 'the exported console in a browser', ({ chromium }) => {
  let journal: JournalFile
  let hostile: JournalFile
  let browser: OpenBrowser
  beforeAll(async () => {
    journal = await writeJournal()
    hostile = await writeJournal(withAttacks)
    browser = await openBrowser(chromium)
  })
  afterAll(async () => {
    await browser.close()
    await journal.remove()
    await hostile.remove()
  })

  test('needs no server: it opens from a file, and shows every shoot and moment', async () => {
    const file = join(journal.folder, 'seed.html')
    await writeFile(file, await exportJournal(journal.file, await findProviders()))
    const page = await browser.open(
      `${pathToFileURL(file)}?shoot=shoot--dev--rose-005&at=2026-11-21T02:53:30Z`,
    )
    const tree = () => page.getByRole('tree').innerText()
    await expect.poll(tree).toContain('NatGatewayLimitExceeded')
    await page.getByRole('slider', { name: 'Moment' }).fill(String(Date.parse('2026-11-21T01:00:00Z')))
    await expect.poll(tree).not.toContain('NatGatewayLimitExceeded')
    await page.keyboard.press('Tab')
    await page.locator('.shoots .row', { hasText: 'rose-011' }).click()
    await expect.poll(tree).toContain('Infrastructure rose-011')
    await page.getByRole('treeitem', { name: /Infrastructure rose-011/ }).click()
    expect(await page.locator('.manifest').innerText()).toContain('kind: Infrastructure')
    await page.getByRole('tab', { name: 'Events' }).click()
    expect(await page.getByRole('complementary').innerText()).toContain('this file has no connection')
    await page.locator('main > .tabs').getByText('Plan').click()
    expect(await page.locator('#view').innerText()).toContain('no connection to a seed')
    await page.close()
    expect(browser.problems).toEqual([])
    expect(browser.strangers).toEqual([])
  })

  test('contains only the chosen shoot', async () => {
    const html = await exportJournal(journal.file, await findProviders(), 'shoot--dev--rose-005')
    expect(html.length).toBeLessThan(250_000)
    expect(html.match(/data-chunk="shoot-/g)).toHaveLength(1)
  })

  test('hostile names and texts are shown and never executed, from a file and from the server', async () => {
    const providers = await findProviders()
    const file = join(hostile.folder, 'hostile.html')
    await writeFile(file, await exportJournal(hostile.file, providers))
    expect((await readFile(file, 'utf8')).match(/window\.attacked/)).toBeNull()
    const server = await openJournal({ file: hostile.file, port: 0, providers, clock: systemClock })
    try {
      for (const base of [pathToFileURL(file).href, server.url]) {
        const link = `${base}?shoot=shoot--dev--rose-005&at=2026-11-21T02:53:30Z&node=%3Cimg%20src=x%20onerror=window.attacked=1%3E`
        for (const view of ['tree', 'timeline', 'changes', 'cloud', 'plan']) {
          const page = await browser.open(`${link}&view=${view}`)
          await page.locator('.urgent').waitFor()
          await page.keyboard.press('j')
          await page.keyboard.press('j')
          expect(await page.locator('body').innerText()).toContain(attacks[0])
          expect(await page.evaluate('window.attacked')).toBeUndefined()
          expect(await page.locator('img, svg[onload], a').count()).toBe(0)
          await page.close()
        }
      }
      expect(browser.problems).toEqual([])
      expect(browser.strangers).toEqual([])
    } finally {
      await server.close()
    }
  })
})
