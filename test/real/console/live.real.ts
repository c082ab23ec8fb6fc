import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ConsoleServer, consoleActions, openCluster } from '../../../cli/console/console.ts'
import { madeUpObjects } from '../../../cli/console/testing/made-up-objects.ts'
import { createApiServer } from '../../../sandbox/kubernetes/kubernetes.ts'
import { findProviders } from '../../../sandbox/providers/find-providers.ts'
import { systemClock } from '../../../shared/clock/clock.ts'
import { allCrds, machineCrds, resourceCrds } from '../../../shared/contract/crds/crd-of.ts'
import { clusterKind, kinds } from '../../../shared/contract/kinds.ts'
import { createKubernetes, type KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { describeWith } from '../with-part.ts'
import { type OpenBrowser, openBrowser } from './open-browser.ts'
import { violationsIn } from './violations-in.ts'

const namespace = 'shoot--dev--rose'
const [cluster, , record] = madeUpObjects(namespace, 'rose', 1).map(
  ({ object }) => object as never as KubernetesObject,
)

describeWith('browser', 'the console of a live seed in a browser', ({ chromium }) => {
  const api = createApiServer({
    clock: systemClock,
    objects: [
      ...allCrds(),
      ...machineCrds(),
      ...resourceCrds(),
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
    ],
  })
  const kubernetes = createKubernetes({ transport: api.transport, clock: systemClock })
  const records = kinds.DNSRecord.resource
  let server: ConsoleServer
  let browser: OpenBrowser
  beforeAll(async () => {
    const providers = await findProviders()
    const plan = async (id: string, { destroy }: { readonly destroy: boolean }) =>
      `+ create the record of ${id}\n- ${destroy ? 'delete' : 'replace'} it\n`
    const actions = consoleActions(kubernetes, { clock: systemClock, user: 'anna' })
    server = await openCluster({ kubernetes, port: 0, plan, actions, providers, clock: systemClock })
    browser = await openBrowser(chromium)
  })
  afterAll(async () => {
    await browser.close()
    await server.close()
    api.close()
  })

  test('shows a change as soon as it is written, without a reload', async () => {
    if (cluster === undefined || record === undefined) throw new Error('the objects are missing')
    await kubernetes.create(clusterKind.resource, cluster)
    const { status: _, ...unwritten } = record
    const created = await kubernetes.create(records, unwritten as KubernetesObject)
    const page = await browser.open(`${server.url}?shoot=${namespace}`)
    const tree = () => page.getByRole('tree').innerText()
    await expect.poll(tree).toContain('DNSRecord rose-internal')
    await page.evaluate("document.body.dataset.stays = 'yes'")
    const lastOperation = {
      type: 'Create',
      state: 'Error',
      progress: 10,
      lastUpdateTime: new Date().toISOString(),
      description: 'failed',
    }
    const lastError = { description: 'the hosted zone does not exist', codes: ['ERR_CONFIGURATION_PROBLEM'] }
    await kubernetes.patch(
      records,
      { namespace, name: created.metadata.name },
      { status: { lastOperation, lastError } },
      { subresource: 'status' },
    )
    await expect.poll(tree).toContain('the hosted zone does not exist')
    await expect.poll(() => page.getByRole('button', { name: '1 failed' }).count()).toBe(1)
    expect(await page.evaluate('document.body.dataset.stays')).toBe('yes')
    expect(await page.locator('.source').innerText()).toContain('live')
    await page.close()
  })

  test('shows the plan of an object', async () => {
    const page = await browser.open(`${server.url}?shoot=${namespace}&view=plan`)
    await page.getByRole('button', { name: 'Plan the deletion' }).click()
    await expect.poll(() => page.locator('.plan pre').innerText()).toContain('- delete it')
    expect(await page.locator('.plan pre .added').innerText()).toContain(
      `DNSRecord ${namespace}/rose-internal`,
    )
    await page.close()
    expect(browser.problems).toEqual([])
  })

  test('acts after it has shown what it will do, and shows the Event about it', async () => {
    const id = `DNSRecord ${namespace}/rose-internal`
    const own = server.ownUrl?.replace('#', `?shoot=${namespace}&node=${encodeURIComponent(id)}#`) ?? ''
    const page = await browser.open(own)
    const details = page.getByRole('complementary', { name: 'Details' })
    await details.getByRole('button', { name: 'Retry…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(/Why/).fill('the zone is back')
    await page.keyboard.press('Tab')
    await expect.poll(() => dialog.innerText()).toContain(`✎ DNSRecord/${namespace}/rose-internal: `)
    expect(await violationsIn(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Write this, as trellis-sandbox' }).click()
    await expect.poll(() => dialog.innerText()).toContain(`✓ DNSRecord/${namespace}/rose-internal`)
    await page.keyboard.press('Escape')
    await expect
      .poll(() => details.locator('.manifest').innerText())
      .toContain('gardener.cloud/operation: reconcile')
    await details.getByRole('tab', { name: 'Events' }).click()
    await expect
      .poll(() => details.innerText())
      .toContain('trellis-sandbox has run trellis retry (the zone is back)')
    expect(page.url()).not.toContain('key')
    await page.reload()
    await details.getByRole('button', { name: 'Pause…' }).waitFor()
    await page.locator('.head').getByRole('button', { name: 'Resume…' }).click()
    await expect.poll(() => dialog.innerText()).toContain('Nothing to resume.')
    await page.close()
  })

  test('has no buttons in a page without the key', async () => {
    const page = await browser.open(`${server.url}?shoot=${namespace}`)
    await expect.poll(() => page.getByRole('tree').innerText()).toContain('DNSRecord rose-internal')
    expect(await page.getByRole('button', { name: /Retry|Pause/ }).count()).toBe(0)
    await page.close()
    expect(browser.problems).toEqual([])
  })

  test('says that the connection is lost', async () => {
    const page = await browser.open(`${server.url}?shoot=${namespace}`)
    await expect.poll(() => page.locator('.source').innerText()).toContain('live')
    await server.close()
    await expect.poll(() => page.locator('.source').innerText()).toContain('connection lost')
    expect(await page.getByRole('tree').innerText()).toContain('DNSRecord rose-internal')
  })
})
