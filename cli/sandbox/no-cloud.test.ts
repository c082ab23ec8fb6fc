import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FoundFunction, findFunctions } from '../../functions/find-functions.ts'
import { type FunctionFolder, functionFolder, imports } from '../../functions/testing/function-folder.ts'
import { functionManifest } from '../../knative/function-manifest.ts'
import { clusterKind, kinds } from '../../shared/contract/kinds.ts'
import { buildEvent, eventJson } from '../../shared/events/events.ts'
import { shootNamespace as namespace, sampleObject } from '../../test/lifecycle/sample-objects.ts'
import { functionsToPlan } from '../plan/functions-to-plan.ts'
import { replay } from '../replay/testing/replay-run.ts'
import { startSandbox } from './start-sandbox.ts'

/** It logs its dependencies. */
const source = (name: string, type: string) => `${imports}
export const definition = defineFunction({
  name: '${name}', kind: 'Network', type: '${type}',
  create: (_, deps) => ({
    reconcile: async () => done({ providerStatus: { has: Object.keys(deps).toSorted().join() } }),
    remove: async () => done(),
  }),
})
`

let folder: FunctionFolder
let functions: readonly FoundFunction[]
let manifests: string
beforeAll(async () => {
  folder = await functionFolder({
    'acme/network/function.ts': source('acme-network', 'test'),
    'cloudy/network/function.ts': source('cloudy-network', 'cloudy'),
    'cloudy/provider.ts': '',
  })
  functions = await findFunctions(folder.root)
  manifests = join(folder.root, '.manifests')
  await mkdir(manifests)
  await writeFile(join(manifests, 'all.yaml'), functions.map(one => functionManifest(one)).join('---\n'))
})
afterAll(() => folder.remove())

test('a function of a folder without provider.ts runs in every sandbox, without a connection; one with provider.ts runs if its cloud exists', async () => {
  const sandbox = await startSandbox({
    providers: [],
    functions,
    manifests: [join(import.meta.dirname, '../../knative/base/broker.yaml'), manifests],
    idleMs: 30_000,
    observe: () => {},
  })
  try {
    expect(sandbox.functions.map(({ name }) => name)).toEqual(['acme-network'])
    const { kubernetes } = sandbox
    await kubernetes.create(
      { group: '', version: 'v1', plural: 'namespaces', namespaced: false },
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
    )
    await kubernetes.create(clusterKind.resource, {
      apiVersion: 'extensions.gardener.cloud/v1alpha1',
      kind: 'Cluster',
      metadata: { name: namespace },
      spec: { cloudProfile: {}, seed: {}, shoot: {} },
    })
    await kubernetes.create(kinds.Network.resource, sampleObject('Network'))
    for (;;) {
      const object = await kubernetes.get(kinds.Network.resource, { name: 'it', namespace })
      const { lastOperation, providerStatus } = Object(object?.status)
      if (lastOperation?.state === 'Succeeded') {
        expect(providerStatus).toEqual({ has: 'clock,onRequest' })
        break
      }
      await sandbox.clock.sleep(10)
    }
  } finally {
    await sandbox.close()
  }
})

test('its saved events are replayed without a cloud', async () => {
  const object = sampleObject('Network')
  const event = buildEvent({
    kind: 'Network',
    object: { ...object, metadata: { ...object.metadata, uid: 'u', generation: 1, resourceVersion: '1' } },
    operation: 'reconcile',
    cause: 'created',
    reason: 'created',
    attempt: 0,
    source: '/seeds/sandbox',
    now: Date.parse('2026-11-22T12:00:00Z'),
  })
  const file = join(folder.root, 'event.json')
  await writeFile(file, JSON.stringify(eventJson(event)))
  const { ok, text } = await replay([file], { functionsRoot: folder.root })
  expect(ok).toBe(true)
  expect(text).toContain('has: clock')
  expect(text).not.toMatch(/^acme +\d/m)
})

test('plans run the steps of functions without a cloud, and refuse the others', async () => {
  const planned = await functionsToPlan([join(folder.root, 'acme')], [])
  expect(planned[0]?.name).toBe('acme-network')
  await expect(functionsToPlan([join(folder.root, 'cloudy')], [])).rejects.toThrow(
    '--function: cloudy-network changes the cloud of its provider.ts, and has no planOf',
  )
})

test('plans also run the steps of a cloud’s functions, for kinds that its provider does not plan', async () => {
  const names = (await functionsToPlan([], [{ name: 'local', plans: { Infrastructure: 'local' } }])).map(
    ({ name }) => name,
  )
  expect(names).toContain('local-extension-seed')
  expect(names).not.toContain('local-infrastructure')
})
