import { describe, expect, test } from 'vitest'
import type { KubernetesObject } from '../../../../shared/kubernetes/kubernetes.ts'
import { newSeed, type SeedOptions, shootOf } from '../testing/seed.ts'
import { hasOverlay } from './has-overlay.ts'

const node = (name: string, ...conditions: readonly object[]): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name },
  status: { conditions },
})
const routes = { type: 'NetworkUnavailable', status: 'False', reason: 'RouteCreated' }
const calicos = { type: 'NetworkUnavailable', status: 'False', reason: 'CalicoIsUp' }

const shoot = shootOf({ kubernetes: { version: '1.36.0' } })

/** A shoot with an overlay that is about to be disabled. */
const switching = async (options: SeedOptions = {}) => {
  const nodes: KubernetesObject[] = []
  let [opened, closed] = [0, 0]
  const seed = await newSeed({
    shoot,
    settings: { seamlessOverlaySwitch: 'true' },
    openNodes: async () => {
      opened++
      return {
        // One node per page.
        kubernetes: {
          list: async (_, { continue: next = '0' } = {}) => {
            const more = Number(next) + 1
            const items = nodes.slice(Number(next), more)
            return { items, resourceVersion: '1', ...(more < nodes.length && { continue: String(more) }) }
          },
        },
        close: () => void closed++,
      }
    },
    ...options,
  })
  await seed.step()
  await seed.change({ spec: { providerConfig: { overlay: { enabled: false } } } })
  await seed.ask('reconcile')
  return { seed, nodes, counts: () => ({ opened, closed }) }
}
const isOff = async (seed: Awaited<ReturnType<typeof newSeed>>) => !(await seed.objects()).some(hasOverlay)

describe('an overlay', () => {
  test('is disabled after all nodes have routes', async () => {
    const { seed, nodes, counts } = await switching()
    nodes.push(node('a', routes), node('b', calicos))
    await seed.step()
    expect(await seed.lastOperation()).toMatchObject({
      state: 'Processing',
      description: expect.stringContaining('waiting for routes to be created on all nodes'),
    })
    expect(await isOff(seed)).toBe(false)
    nodes.splice(1, 1, node('b', routes))
    await seed.converge()
    expect(await seed.lastOperation()).toMatchObject({ state: 'Succeeded' })
    expect(await isOff(seed)).toBe(true)
    expect(counts()).toEqual({ opened: 2, closed: 2 })
  })

  test('without routes on its nodes for too long is an error', async () => {
    const { seed, nodes } = await switching()
    nodes.push(node('a'))
    await seed.step()
    await seed.clock.advance(11 * 60_000)
    await seed.step()
    expect((await seed.lastError())?.description).toContain('waiting for routes')
    expect(await isOff(seed)).toBe(false)
  })

  test('is retained if the nodes cannot be read', async () => {
    const { seed } = await switching({ openNodes: () => Promise.reject(new Error('no way')) })
    await seed.step()
    expect((await seed.lastError())?.description).toContain(
      'cannot verify node routes before overlay switch: no way',
    )
    expect(await isOff(seed)).toBe(false)
  })

  const gates = (version: string) => ({
    kubeAPIServer: {
      featureGates: { MutatingAdmissionPolicy: true },
      runtimeConfig: { [`admissionregistration.k8s.io/${version}`]: true },
    },
  })
  test.each<[string, SeedOptions, number]>([
    ['without the setting', { settings: {} }, 0],
    ['with an API server without policies', { shoot: shootOf() }, 0],
    ['with policies by a feature gate', { shoot: shootOf({ kubernetes: gates('v1beta1') }) }, 1],
    ['with a gate for an unserved version', { shoot: shootOf({ kubernetes: gates('v2') }) }, 0],
    ['that the config disables', { spec: { providerConfig: { overlay: { enabled: false } } } }, 0],
  ])('an overlay %s is switched off, and the nodes are read %d times', async (_, options, opened) => {
    const { seed, counts } = await switching(options)
    await seed.step()
    expect(await isOff(seed)).toBe(true)
    expect(counts().opened).toBe(opened)
  })
})

test.each([
  undefined,
  null,
  1,
  'x',
  [],
  {},
  { kind: 'DaemonSet' },
  {
    kind: 'DaemonSet',
    metadata: { name: 'calico-node' },
    spec: { template: { spec: { containers: [null, { env: 'x' }, { env: [null] }] } } },
  },
])('the document %j has no overlay', document => {
  expect(hasOverlay(document)).toBe(false)
})
