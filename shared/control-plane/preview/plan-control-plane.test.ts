import { describe, expect, test } from 'vitest'
import { clusterKind } from '../../contract/kinds.ts'
import type { Cluster } from '../../contract/objects.ts'
import type { Secret } from '../../lifecycle/lifecycle.ts'
import { shortKeys } from '../../secrets-manager/testing/short-keys.ts'
import { type ControlPlaneSeed, newSeed, type SeedOptions } from '../testing/seed.ts'
import { tinyProvider } from '../testing/tiny-provider.ts'
import { planControlPlane } from './plan-control-plane.ts'

const planted = 'planted-secret-value'

const planOf = async (seed: ControlPlaneSeed, { destroy = false } = {}) => {
  const { namespace, kubernetes, clock } = seed
  const secret: Secret = { name: 'cloudprovider', namespace, labels: {}, data: { key: planted } }
  const before = seed.requests.length
  const plan = await planControlPlane(tinyProvider(), {
    object: await seed.live(),
    cluster: (await kubernetes.get(clusterKind.resource, { name: namespace })) as Cluster,
    secret,
    kubernetes,
    clock,
    signal: new AbortController().signal,
    destroy,
    createKeyPair: shortKeys(),
  })
  expect(seed.requests).toHaveLength(before)
  const text = JSON.stringify(plan)
  expect(text).not.toContain(planted)
  expect(text).not.toContain(btoa(planted))
  expect(text).not.toContain('PRIVATE KEY')
  return plan
}

const sentences = async (seed: ControlPlaneSeed, options?: { readonly destroy: boolean }) =>
  (await planOf(seed, options)).actions.map(({ sentence }) => sentence)

const reconciled = async (options: SeedOptions = {}) => {
  const seed = await newSeed(options)
  await seed.converge()
  return seed
}

const rotating = {
  status: {
    credentials: {
      rotation: {
        certificateAuthorities: { phase: 'Preparing', lastInitiationTime: '2026-11-21T12:30:00Z' },
      },
    },
  },
}

/** Removes the suffix of a name that depends on a key. */
const bare = (write: string) => write.replace(/-(?:[0-9a-f]{8}(?:-[0-9a-f]{5})?|\(known after create\))$/, '')

/** Returns the writes of a plan and the actual writes of the steps. */
const plannedAndMade = async (seed: ControlPlaneSeed, act: () => Promise<unknown>, destroy = false) => {
  await act()
  const planned = (await planOf(seed, { destroy })).writes.map(
    ({ verb, resource, name }) => `${verb} ${resource} ${name}`,
  )
  const before = seed.requests.length
  await seed.converge()
  const made = seed.requests
    .slice(before)
    .filter(call => !/^(?:get|list) /.test(call) && !call.includes(' controlplanes'))
  return { planned: planned.map(bare).sort(), made: made.map(bare).sort() }
}

describe('the plan of a ControlPlane', () => {
  test('the plan of a new ControlPlane lists the creations in order', async () => {
    const seed = await newSeed()
    expect(await sentences(seed)).toEqual([
      'create the ManagedResource extension-controlplane-configuration-seed',
      'create the CA ca-provider-tiny',
      'create the certificate bundle of the CA ca-provider-tiny',
      'create the certificate tiny-controller-server',
      'create the certificate tiny-webhook',
      'create 2 Secrets with tokens for the API server of the shoot',
      'wait until extension-controlplane-configuration-seed is healthy',
      'create the ManagedResource extension-controlplane-seed',
      'create the ManagedResource extension-controlplane-shoot',
      'create the ManagedResource extension-controlplane-shoot-crds',
      'create the ManagedResource extension-controlplane-storageclasses',
    ])
    expect(await seed.managedResources()).toEqual([])
    expect(await seed.secretNames()).toEqual(['cloudprovider'])
  })

  test('the plan of an up-to-date ControlPlane is empty', async () => {
    expect(await planOf(await reconciled())).toEqual({ actions: [], writes: [] })
  })

  test.each([
    ['when it is new', newSeed, async () => {}],
    [
      'when its config changes',
      reconciled,
      async (seed: ControlPlaneSeed) => {
        await seed.change({ spec: { providerConfig: { size: 2 } } })
        await seed.reconcile()
      },
    ],
    [
      'when the CA rotates',
      reconciled,
      async (seed: ControlPlaneSeed) => {
        await seed.clock.advance(3_600_000)
        await seed.changeShoot(rotating)
        await seed.reconcile()
      },
    ],
    [
      'when it goes to sleep',
      reconciled,
      async (seed: ControlPlaneSeed) => {
        await seed.changeShoot({ spec: { hibernation: { enabled: true } } })
        await seed.reconcile()
      },
    ],
  ] as const)('the plan has the writes of the steps %s', async (_, start, act) => {
    const seed = await start({ instant: false })
    const { planned, made } = await plannedAndMade(seed, () => act(seed))
    expect(planned.length).toBeGreaterThan(0)
    expect(planned).toEqual(made)
  })

  test('the plan of a deletion has the writes of the steps', async () => {
    const seed = await reconciled({ instant: false })
    const plan = await planOf(seed, { destroy: true })
    expect(plan.actions.map(({ sentence }) => sentence)).toEqual([
      'delete the ManagedResource extension-controlplane-storageclasses',
      'delete the ManagedResource extension-controlplane-shoot-crds',
      'wait until extension-controlplane-shoot-crds is gone',
      'delete the ManagedResource extension-controlplane-shoot',
      'wait until extension-controlplane-shoot is gone',
      'delete the ManagedResource extension-controlplane-seed',
      'delete the ManagedResource extension-controlplane-configuration-seed',
      'delete 2 Secrets with tokens for the API server of the shoot',
      'delete 3 Secrets with manifests of deleted ManagedResources',
      'delete the CA ca-provider-tiny',
      'delete the certificate bundle of the CA ca-provider-tiny',
      'delete the certificate tiny-controller-server',
      'delete the certificate tiny-webhook',
    ])
    const before = seed.requests.length
    await seed.remove()
    await seed.converge()
    const made = seed.requests.slice(before).filter(call => call.startsWith('delete '))
    expect(plan.writes.map(({ verb, resource, name }) => `${verb} ${resource} ${name}`).sort()).toEqual(
      made.sort(),
    )
  })

  test('the plan shows both forms of changed objects only', async () => {
    const seed = await reconciled()
    await seed.change({ spec: { providerConfig: { size: 2 } } })
    const { actions } = await planOf(seed)
    expect(actions).toMatchObject([
      {
        kind: 'update',
        sentence: 'update the ManagedResource extension-controlplane-configuration-seed',
        cluster: 'seed',
        objects: [
          {
            kind: 'update',
            id: { kind: 'ConfigMap', name: 'config' },
            before: { data: { size: '1' } },
            after: { data: { size: '2' } },
            summary: undefined,
          },
        ],
      },
      { kind: 'wait' },
    ])
    expect(actions[0]?.objects).toHaveLength(1)
  })

  test('the plan of a rotation waits for trust in the new CA, and names the owners of changed certificates', async () => {
    const seed = await reconciled()
    await seed.clock.advance(3_600_000)
    await seed.changeShoot(rotating)
    const { actions, writes } = await planOf(seed)
    expect(actions.map(({ sentence }) => sentence)).toEqual([
      'recreate the CA ca-provider-tiny',
      'create the certificate bundle of the CA ca-provider-tiny',
      'update the ManagedResource extension-controlplane-shoot',
      'wait until the new CA is trusted',
      'recreate the certificate tiny-webhook',
      'update the ManagedResource extension-controlplane-seed',
      'mark the certificate bundle of the CA ca-provider-tiny as unused',
      'mark the certificate tiny-webhook as unused',
    ])
    expect(actions[0]?.notes).toEqual(['the CA rotation of the shoot started at 2026-11-21 12:30'])
    expect(actions[3]?.notes).toEqual([])
    expect(actions[4]?.notes).toEqual(['the previous one was signed by another CA'])
    const [trust] = actions[2]?.objects ?? []
    expect(trust?.after?.data).toEqual({ bundle: 'ca-provider-tiny-bundle-(known after create)' })
    expect(writes.map(({ name }) => name)).toContain('tiny-webhook-(known after create)')
    expect((await planOf(seed)).writes).toEqual(writes)
  })

  test('the plan gives the reason of a certificate’s renewal', async () => {
    const seed = await reconciled()
    await seed.clock.advance(9 * 365 * 86_400_000)
    const { actions } = await planOf(seed)
    expect(actions[0]).toMatchObject({
      sentence: 'recreate the certificate tiny-controller-server',
      notes: ['the previous one is valid until 2036-11-21 12:00'],
    })
  })

  test('the plan continues past a running API server of the shoot', async () => {
    const seed = await reconciled()
    await seed.makeApiServer(1)
    await seed.changeShoot({ spec: { hibernation: { enabled: true } } })
    const { actions } = await planOf(seed)
    expect(actions.map(({ sentence }) => sentence)).toEqual([
      'wait until the API server of the shoot is down',
      'update the ManagedResource extension-controlplane-seed',
    ])
    expect(actions[1]?.objects[0]?.after?.data).toMatchObject({ replicas: '0' })
  })

  test('a wait that no step ends has the message of the resource manager', async () => {
    const seed = await reconciled()
    seed.resourceManager.treat('extension-controlplane-configuration-seed', 'unhealthy')
    await seed.resourceManager.work()
    const { actions } = await planOf(seed)
    expect(actions).toMatchObject([
      {
        kind: 'wait',
        notes: [
          expect.stringContaining('ResourcesHealthy DeploymentUnhealthy: Deployment x has no replicas'),
        ],
      },
    ])
  })

  test('the plan throws the errors of the steps', async () => {
    const seed = await reconciled()
    await seed.change({ spec: { providerConfig: { unreadable: true } } })
    await expect(planOf(seed)).rejects.toThrow('could not decode')
  })
})
