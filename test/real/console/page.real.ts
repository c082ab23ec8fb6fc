import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { type ConsoleServer, openJournal } from '../../../cli/console/console.ts'
import { findProviders } from '../../../sandbox/providers/find-providers.ts'
import { systemClock } from '../../../shared/clock/clock.ts'
import { describeWith } from '../with-part.ts'
import { type JournalFile, writeJournal } from './journal-file.ts'
import { type OpenBrowser, openBrowser } from './open-browser.ts'

const failing = 'shoot--dev--rose-005'
const infrastructure = `Infrastructure ${failing}/rose-005`

describeWith('browser', 'the console of a journal in a browser', ({ chromium }) => {
  let journal: JournalFile
  let server: ConsoleServer
  let browser: OpenBrowser
  let page: Page | undefined
  beforeAll(async () => {
    journal = await writeJournal()
    const options = { port: 0, providers: await findProviders(), clock: systemClock }
    server = await openJournal({ file: journal.file, ...options })
    browser = await openBrowser(chromium)
  })
  afterEach(async () => {
    await page?.close()
    expect(browser.problems).toEqual([])
    expect(browser.strangers).toEqual([])
  })
  afterAll(async () => {
    await browser.close()
    await server.close()
    await journal.remove()
  })
  const open = async (link: string): Promise<Page> => {
    page = await browser.open(`${server.url}${link}`)
    await page.locator('.head h2').waitFor()
    return page
  }
  const tree = (of: Page) => of.getByRole('tree')

  test('opens at a failing shoot, with the failed call, its reason, its fix and the next step', async () => {
    const shown = await open('?at=2026-11-21T02:53:30Z')
    await expect.poll(() => shown.locator('.head h2').innerText()).toContain('failed')
    const text = await tree(shown).innerText()
    expect(text).toContain('NatGatewayLimitExceeded')
    expect(text).toContain('ec2 CreateNatGateway: NatGatewayLimitExceeded (400), request 8f1e2d3c')
    expect(text).toContain('ERR_INFRA_QUOTA_EXCEEDED')
    expect(text).toMatch(/Fix: .*quota/)
    expect(text).toMatch(/its step has failed 5 times in a row/)
    expect(text).toMatch(/retry \d of reconcile/)
  })

  test('filters shoots by state and by text', async () => {
    const shown = await open('')
    const names = () => shown.locator('.shoots .row .name').allTextContents()
    await expect.poll(async () => (await names()).length).toBeGreaterThan(10)
    await shown.getByRole('button', { name: '5 failed' }).click()
    await expect.poll(names).toHaveLength(5)
    await shown.keyboard.press('/')
    await shown.keyboard.type('rose-015')
    await expect.poll(names).toEqual(['garden-dev/rose-015'])
    await shown.locator('.shoots .row').click()
    await expect.poll(() => shown.title()).toContain('shoot--dev--rose-015')
  })

  test('shows every moment of the past, of the whole seed and of the shoot', async () => {
    const shown = await open('?shoot=rose-005')
    await expect.poll(() => shown.title()).toContain(failing)
    await expect.poll(() => shown.getByRole('button', { name: '5 failed' }).count()).toBe(1)
    await shown.getByRole('slider', { name: 'Moment' }).fill(String(Date.parse('2026-11-21T01:00:00Z')))
    await expect.poll(() => shown.getByRole('button', { name: '0 failed' }).count()).toBe(1)
    await expect.poll(() => shown.locator('.head h2').innerText()).toContain('ok')
    await expect.poll(() => shown.url()).toContain('at=2026-11-21T01')
    await shown.keyboard.press('Tab')
    await shown.getByRole('button', { name: 'Next change' }).click()
    await shown.getByRole('button', { name: /^End/ }).click()
    await expect.poll(() => shown.locator('.head h2').innerText()).toContain('failed')
  })

  test('shows the difference of an object between two moments of a link', async () => {
    const shown = await open(
      `?shoot=garden-dev/rose-005&from=2026-11-21T01:00:00Z&at=2026-11-21T02:50:00Z&view=changes`,
    )
    const change = shown.locator('details.change', { hasText: infrastructure })
    const removed = await change.locator('.removed').allInnerTexts()
    const added = await change.locator('.added').allInnerTexts()
    expect(removed.join('')).toContain('state: Succeeded')
    expect(added.join('')).toContain('state: Error')
    expect(added.join('')).toContain('ERR_INFRA_QUOTA_EXCEEDED')
    expect(await change.innerText()).toContain('unchanged lines')
  })

  test('shows steps as bars, and the calls of a step as a table', async () => {
    const shown = await open(`?shoot=${failing}&view=timeline`)
    await shown.locator('.labels button', { hasText: 'Infrastructure' }).click()
    const details = shown.getByRole('complementary', { name: 'Details' })
    await details.getByRole('tab', { name: /^Steps/ }).click()
    await details.locator('details.run > summary').click()
    expect(await details.locator('details.run > summary').innerText()).toMatch(
      /^5 steps, same error .*ec2 CreateNatGateway: NatGatewayLimitExceeded/s,
    )
    await details.locator('details.step.failed').first().locator('summary').click()
    const row = details.locator('tr.failed').first()
    expect(await row.innerText()).toContain('ec2 CreateNatGateway')
    expect(await row.innerText()).toContain('request 8f1e2d3c-0000-4a4a-9b9b-aaaabbbbcccc')
    await shown.locator('.plot canvas').waitFor()
    // A string, because the project's types know no document.
    const colors = await shown.evaluate(`(element => {
      const { data } = element.getContext('2d').getImageData(0, 28, element.width, 120)
      const found = new Set()
      for (let index = 0; index < data.length; index += 4) found.add(data.slice(index, index + 3).join())
      return found.size
    })(document.querySelector('.plot canvas'))`)
    expect(colors).toBeGreaterThan(8)
  })

  test('shows the manifest of an object first, at each moment, and copies it', async () => {
    await browser.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const shown = await open(`?shoot=${failing}&node=${encodeURIComponent(infrastructure)}`)
    const manifest = shown.locator('.manifest')
    const text = await manifest.innerText()
    expect(parse(text)).toMatchObject({
      kind: 'Infrastructure',
      metadata: { name: 'rose-005', namespace: failing },
      status: { lastOperation: { state: 'Error' } },
    })
    await shown.getByRole('button', { name: 'Copy YAML' }).click()
    await shown.getByRole('button', { name: 'Copied' }).waitFor()
    expect(await shown.evaluate('navigator.clipboard.readText()')).toBe(text.trimEnd())
    await shown.getByRole('slider', { name: 'Moment' }).fill(String(Date.parse('2026-11-21T01:00:00Z')))
    await expect.poll(() => manifest.innerText()).toContain('state: Succeeded')
    await shown.getByRole('tab', { name: 'Events' }).click()
    const events = await shown.getByRole('complementary').innerText()
    expect(events).toContain('a journal has no Events of Kubernetes')
    expect(events).toMatch(/reconcile because of annotation, .* ago/)
    await expect.poll(() => shown.url()).toContain('tab=events')
  })

  test('lists failing shoots below their cause, with its code', async () => {
    const shown = await open('')
    await shown.getByRole('button', { name: 'By cause (1)' }).click()
    const cause = shown.locator('.row.cause')
    expect(await cause.innerText()).toMatch(/^ERR_INFRA_QUOTA_EXCEEDED\s+5 shoots\s+creating the NAT gateway/)
    await expect.poll(() => shown.locator('.shoots .row.below').count()).toBe(5)
    await cause.click()
    await expect.poll(() => shown.locator('.shoots .row.below').count()).toBe(0)
    await cause.click()
    await shown.locator('.shoots .row.below', { hasText: 'rose-015' }).click()
    await expect.poll(() => shown.title()).toContain('rose-015')
  })

  test('marks what is overdue in red, in the list and in the tree', async () => {
    const shown = await open(`?shoot=${failing}`)
    expect(await shown.locator('.shoots .row.overdue').first().innerText()).toContain('1 overdue')
    const why = shown.locator('.node.overdue > .text > .why')
    expect(await why.innerText()).toContain('a step is due since')
    const color = (name: string) => `(e => getComputedStyle(e).color)(document.querySelector('${name}'))`
    expect(await shown.evaluate(color('.node.overdue > .text > .why'))).toBe(
      await shown.evaluate(color('.mark.failed')),
    )
  })

  test('says that it reads a shoot instead of showing the one before', async () => {
    const shown = await open(`?shoot=${failing}`)
    await tree(shown).waitFor()
    let answer = () => {}
    const waits = new Promise<void>(resolve => {
      answer = resolve
    })
    await shown.route('**/api/shoot?*', async route => {
      await waits
      await route.continue()
    })
    await shown.keyboard.press(']')
    await expect.poll(() => shown.locator('.loading').innerText()).toContain('Reading shoot--dev--rose-010')
    expect(await tree(shown).count()).toBe(0)
    answer()
    await expect.poll(() => tree(shown).innerText()).toContain('Infrastructure rose-010')
  })

  test.each([
    '',
    `&node=${encodeURIComponent(infrastructure)}`,
    '&view=timeline',
    '&view=changes',
    '&view=cloud',
  ])('fits on a telephone (%s)', async link => {
    const shown = await open(`?shoot=${failing}${link}`)
    await shown.setViewportSize({ width: 390, height: 844 })
    await shown.locator('.loading').waitFor({ state: 'detached' })
    expect(await shown.evaluate('document.documentElement.scrollWidth')).toBe(390)
    expect(await shown.evaluate("document.querySelector('main').clientWidth")).toBe(390)
  })

  test('shows the cloud as nested boxes: a machine and a gateway in their zone, inside of the VPC', async () => {
    const shown = await open(`?shoot=${failing}&view=cloud`)
    const zone = shown.locator('.box .box.zone', { hasText: 'eu-west-1b' })
    const text = await zone.innerText()
    expect(text).toContain('nat-051')
    expect(text).toContain('EC2 instance')
    expect(await shown.locator('.cloud > .box').first().innerText()).toContain('VPC')
    expect(await shown.locator('.cloud').innerText()).toContain('api.rose-005.example.com')
  })

  test('says why a journal has no plans', async () => {
    const shown = await open(`?shoot=${failing}&view=plan`)
    await expect
      .poll(() => shown.getByRole('tabpanel').innerText())
      .toContain('a journal has no connection to the seed')
  })

  test('finds a call by its request id, and goes there', async () => {
    const shown = await open('?shoot=shoot--dev--rose-001')
    await shown.keyboard.press('s')
    await shown.keyboard.type('8f1e2d3c-0000 rose-010')
    await shown.keyboard.press('Enter')
    await shown.locator('.found .row').first().click()
    await expect.poll(() => shown.title()).toContain('shoot--dev--rose-010')
    await expect.poll(() => shown.url()).toContain('at=2026-11-21T0')
    await expect.poll(() => shown.getByRole('complementary').innerText()).toContain('Infrastructure rose-010')
  })

  test('is used without a mouse', async () => {
    const shown = await open(`?shoot=${failing}`)
    const view = () => shown.getByRole('tab', { selected: true }).innerText()
    await shown.keyboard.press('2')
    await expect.poll(view).toBe('Timeline')
    await shown.keyboard.press('1')
    await expect.poll(view).toBe('Tree')
    await shown.keyboard.press('ArrowDown')
    await shown.keyboard.press('j')
    await expect
      .poll(() => shown.getByRole('treeitem', { selected: true }).innerText())
      .toContain('Infrastructure')
    await shown.keyboard.press('Escape')
    await expect.poll(() => shown.getByRole('complementary').count()).toBe(0)
    await shown.keyboard.press('ArrowLeft')
    await expect.poll(() => shown.url()).toContain('at=')
    await shown.keyboard.press('l')
    await expect.poll(() => shown.url()).not.toContain('at=')
    await shown.keyboard.press('m')
    await expect.poll(() => shown.url()).toContain('from=')
    await shown.keyboard.press('t')
    await expect.poll(() => shown.locator('html').getAttribute('data-theme')).toBe('light')
    await shown.keyboard.press('?')
    await expect.poll(() => shown.getByRole('dialog').innerText()).toContain('previous or next shoot')
    await shown.keyboard.press('Escape')
    await expect.poll(() => shown.getByRole('dialog').count()).toBe(0)
    await shown.keyboard.press(']')
    await expect.poll(() => shown.title()).not.toContain(failing)
  })
})
