import { describe, expect, test } from 'vitest'
import type { ControlPlane } from '../../../shared/contract/objects.ts'
import { shootWebhooksData, shootWebhooksName } from '../../../shared/control-plane/control-plane.ts'
import { type ControlPlaneSeed, newSeed } from '../../../shared/control-plane/testing/seed.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { digested } from '../../../test/recorded/digests.ts'
import { type LocalStep, localLife, type RecordedObject } from '../../../test/recorded/local.ts'
import { localControlPlane } from './local-control-plane.ts'

const identity = 'provider-local-controlplane'
const shootWebhooks = { namespace: 'trellis', name: shootWebhooksName('provider-local') }

/** Where what is recorded is not what is done, and why. */
const differences = {
  L2: 'one run for each operation: nothing is made after the migration, and no Reconcile follows the restore',
  L6: 'the password stays while it is valid, under its first name',
  S2: 'of the generated Secrets a migration leaves the CA alone, which gardenlet takes along',
} as const

/** Without what follows from bytes of keys and manifests: eight digits, and five for a rotation (L6). */
const stem = (name: string): string =>
  name.replace(/-(?:<hash8>|[0-9a-f]{8})(?:-(?:<hex5>|[0-9a-f]{5}))?$/, '')

const idOf = ({ kind, metadata }: KubernetesObject) => `${kind} ${metadata.namespace ?? ''}/${metadata.name}`
const byId = (objects: readonly KubernetesObject[]) =>
  Object.fromEntries(objects.map(object => [idOf(object), object]))

/** The digest of an object, without the digits that follow from bytes of a certificate. */
const recordedForm = (object: KubernetesObject) =>
  digested(
    JSON.parse(
      JSON.stringify(object).replaceAll(
        /cloud-controller-manager-server-[0-9a-f]{8}/g,
        'cloud-controller-manager-server-<hash8>',
      ),
    ),
  )

/** The ManagedResources of a recorded step, what they hold by its id, and the generated Secrets. */
const recordedShape = ({ action, objects }: LocalStep) => {
  const managed = objects.filter(({ kind }) => kind === 'ManagedResource')
  const generated = objects.filter(({ metadata }) => metadata.labels?.['manager-identity'] === identity)
  const isLeft = ({ metadata }: RecordedObject) =>
    // S2
    action !== 'migrate' || metadata.labels?.name === `ca-${identity}`
  return {
    managed: Object.fromEntries(
      managed.map(({ metadata, spec, secrets = [] }) => {
        const { secretRefs: _, ...rest } = { secretRefs: [], ...spec }
        const held = Object.entries(secrets[0]?.objects ?? {})
        return [
          metadata.name,
          { spec: rest, key: held.map(([key]) => key).join(), objects: byId(held.flatMap(([, one]) => one)) },
        ]
      }),
    ),
    generated: Object.fromEntries(
      generated
        .filter(isLeft)
        .map(({ metadata, keys = [] }) => [
          stem(metadata.name),
          { labels: Object.keys(metadata.labels ?? {}).toSorted(), keys },
        ]),
    ),
    access: objects
      .filter(({ metadata }) => metadata.name.startsWith('shoot-access-'))
      .map(({ metadata }) => ({ name: metadata.name, labels: metadata.labels })),
  }
}

const shapeOf = async (seed: ControlPlaneSeed) => {
  const secrets = await seed.secrets()
  const managed = await Promise.all(
    (await seed.managedResources()).map(async name => {
      const { secretRefs = [], ...spec } = (await seed.managedResource(name))?.spec ?? {}
      const secret = secrets.find(({ metadata }) => metadata.name === secretRefs[0]?.name)
      const key = Object.keys(Object(secret?.data)).join()
      return [name, { spec, key, objects: byId((await seed.objectsOf(name)).map(recordedForm)) }] as const
    }),
  )
  return {
    managed: Object.fromEntries(managed.filter(([name]) => !name.includes('webhooks'))),
    generated: Object.fromEntries(
      secrets
        .filter(({ metadata }) => metadata.labels?.['manager-identity'] === identity)
        .map(({ metadata, data }) => [
          stem(metadata.name),
          {
            labels: Object.keys(metadata.labels ?? {}).toSorted(),
            keys: Object.keys(Object(data)).toSorted(),
          },
        ]),
    ),
    access: secrets
      .filter(({ metadata }) => metadata.name.startsWith('shoot-access-'))
      .map(({ metadata }) => ({ name: metadata.name, labels: metadata.labels })),
  }
}

const withoutWebhooks = (shape: ReturnType<typeof recordedShape>) => ({
  ...shape,
  managed: Object.fromEntries(Object.entries(shape.managed).filter(([name]) => !name.includes('webhooks'))),
})

const play = async (seed: ControlPlaneSeed, action: string) => {
  seed.requests.length = 0
  if (action === 'delete') await seed.remove()
  else if (action !== 'create') await seed.ask(action === 'idle' ? 'reconcile' : action)
  await seed.converge()
  await seed.clock.advance(5_000)
}

describe('the recorded life of a ControlPlane', () => {
  const begin = async () => {
    const { input } = localLife<ControlPlane>('controlplane')
    const { shoot, cloudProfile } = input.cluster.spec
    const seed = await newSeed({
      namespace: input.object.metadata.namespace ?? '',
      spec: input.object.spec,
      shoot,
      cloudProfile,
      provider: localControlPlane({ image: 'cloud-controller-manager-local:v0.0.0', shootWebhooks }),
    })
    await seed.kubernetes.create(
      { group: '', version: 'v1', plural: 'namespaces', namespaced: false },
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: shootWebhooks.namespace } },
    )
    await seed.kubernetes.create(
      { group: '', version: 'v1', plural: 'secrets', namespaced: true },
      {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: shootWebhooks,
        data: shootWebhooksData({
          configuration: {
            apiVersion: 'admissionregistration.k8s.io/v1',
            kind: 'MutatingWebhookConfiguration',
            metadata: { name: 'gardener-extension-provider-local-shoot' },
            webhooks: [],
          },
          pathKey: new Uint8Array(32),
        }),
      },
    )
    return seed
  }

  test(`has after every step what was recorded, but for ${Object.keys(differences).join()}`, async () => {
    const { steps } = localLife<ControlPlane>('controlplane')
    expect(steps.map(({ action }) => action)).toEqual([
      'create',
      'idle',
      'idle',
      'idle',
      'migrate',
      'restore',
      'delete',
    ])
    const seed = await begin()
    for (const step of steps) {
      await play(seed, step.action)
      expect(await shapeOf(seed), step.action).toEqual(withoutWebhooks(recordedShape(step)))
      const { type, state, description } =
        // L2
        step.lastOperations.findLast(last => step.action !== 'restore' || last.type === 'Restore') ?? {}
      if (step.result === null) expect(await seed.isGone()).toBe(true)
      else expect(await seed.lastOperation(), step.action).toMatchObject({ type, state, description })
    }
  })

  test('has the webhooks of its shoot where they were recorded, and nothing after a migration (L2)', async () => {
    const { steps } = localLife<ControlPlane>('controlplane')
    const seed = await begin()
    for (const step of steps) {
      await play(seed, step.action)
      const recorded = step.objects.some(
        ({ metadata }) => metadata.name === 'extension-controlplane-shoot-webhooks',
      )
      expect((await seed.managedResources()).includes('extension-controlplane-shoot-webhooks')).toBe(recorded)
      const made = seed.requests.filter(call => call.startsWith('create '))
      if (step.action === 'migrate' || step.action === 'idle') expect(made).toEqual([])
    }
  })

  test('has the recorded order of creations and deletions', async () => {
    const { steps } = localLife<ControlPlane>('controlplane')
    const seed = await begin()
    const namesOf = (calls: readonly string[], start: RegExp) => [
      ...new Set(calls.filter(call => start.test(call) && !call.endsWith('[404]')).map(stem)),
    ]
    for (const step of steps.filter(({ action }) => action !== 'idle')) {
      await play(seed, step.action)
      const managed = /^(create|delete) managedresources /
      // L2: what a second migration has made and deleted again.
      const once =
        step.action === 'migrate'
          ? step.order.slice(0, step.order.indexOf('patch controlplanes control-plane'))
          : step.order
      expect(namesOf(seed.requests, managed), step.action).toEqual(namesOf(once, managed))
    }
  })

  test('costs a claim and a status where nothing has changed, and a third of the requests (L6)', async () => {
    const { steps } = localLife<ControlPlane>('controlplane')
    const seed = await begin()
    await play(seed, 'create')
    await play(seed, 'idle')
    await play(seed, 'idle')
    const writes = seed.requests.filter(call => !/^(get|list) /.test(call))
    expect(writes).toEqual([
      'patch controlplanes control-plane',
      'patch controlplanes/status control-plane',
      'patch controlplanes/status control-plane',
    ])
    expect(steps[1]?.writeCount).toBe(7)
    expect(seed.requests.length - writes.length).toBeLessThanOrEqual(12)
  })
})
