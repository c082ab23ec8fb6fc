import { describe, expect, test } from 'vitest'
import { createApiServer } from '../../sandbox/kubernetes/kubernetes.ts'
import { virtualClock } from '../../shared/clock/clock.ts'
import { annotations, apiVersion, labels } from '../../shared/contract/constants.ts'
import { allCrds } from '../../shared/contract/crds/crd-of.ts'
import { clusterKind, kinds } from '../../shared/contract/kinds.ts'
import { formatStepAnnotation } from '../../shared/contract/step-annotation.ts'
import { namespaces } from '../../shared/kubernetes/core-resources.ts'
import {
  createKubernetes,
  eventResource,
  type Kubernetes,
  KubernetesError,
  type KubernetesObject,
} from '../../shared/kubernetes/kubernetes.ts'
import { type ActionOptions, endOfPause } from './prepare-action.ts'
import { runAction } from './run-action.ts'

const namespace = 'shoot--garden--rose'
const start = Date.parse('2026-11-21T12:00:00Z')
const crds = allCrds()
const { resource } = kinds.Network
const key = { name: 'rose', namespace }

const failedStep = formatStepAnnotation({
  ...{ phase: 'waiting', operation: 'reconcile', attempt: 9, request: '', generation: 1, was: '' },
  ...{ until: '2026-11-21T12:08:32.000Z', durationMs: 512_000, event: 'e' },
})

interface GivenNetwork {
  readonly annotations?: Readonly<Record<string, string>>
  readonly state?: string
}

/** A shoot with a failed Network in its 512 s of backoff, unless a test says otherwise. */
const seedWith = async ({
  annotations: own = { [annotations.step]: failedStep },
  state = 'Error',
}: GivenNetwork = {}) => {
  const clock = virtualClock(start)
  const server = createApiServer({ clock, objects: crds })
  const kubernetes = createKubernetes({ transport: server.transport, clock })
  await kubernetes.create(namespaces, {
    ...{ apiVersion: 'v1', kind: 'Namespace' },
    metadata: { name: namespace, labels: { [labels.role]: 'shoot' } },
  })
  await kubernetes.create(clusterKind.resource, {
    ...{ apiVersion, kind: 'Cluster', metadata: { name: namespace } },
    spec: { cloudProfile: {}, seed: {}, shoot: {} },
  })
  const network = {
    ...{ apiVersion, kind: 'Network', metadata: { ...key, annotations: own } },
    spec: { type: 'calico', podCIDR: '10.0.0.0/8', serviceCIDR: '10.0.0.0/8' },
  }
  await kubernetes.create(resource, network)
  const description = 'Error reconciling Network: no route'
  await kubernetes.patch(
    resource,
    key,
    {
      status: {
        observedGeneration: 1,
        lastOperation: {
          type: 'Reconcile',
          state,
          progress: 50,
          description,
          lastUpdateTime: '2026-11-21T12:00:00Z',
        },
        ...(state === 'Error' && { lastError: { description, lastUpdateTime: '2026-11-21T12:00:00Z' } }),
      },
    },
    { subresource: 'status' },
  )
  return {
    kubernetes,
    live: async () => (await kubernetes.get(resource, key)) as KubernetesObject,
    cluster: async () =>
      (await kubernetes.get(clusterKind.resource, { name: namespace })) as KubernetesObject,
    events: async () => (await kubernetes.list(eventResource)).items,
    run: async (
      options: Partial<ActionOptions> & Pick<ActionOptions, 'action'>,
      {
        port = kubernetes,
        agrees = async () => true,
      }: { port?: Kubernetes; agrees?: (question: string) => Promise<boolean> } = {},
    ) => {
      const lines: string[] = []
      const code = await runAction(
        { target: namespace, ...options },
        {
          ...{ kubernetes: port, clock, user: 'anna-in-kubeconfig' },
          print: text => void lines.push(text),
          confirm: agrees,
          signal: () => new AbortController().signal,
        },
      )
      return { code, text: lines.join('') }
    },
  }
}

const object = `Network/${namespace}/rose`

describe('an action', () => {
  test('shows first what it will do, and writes nothing without consent', async () => {
    const seed = await seedWith()
    const before = await seed.live()
    const asked: string[] = []
    const agrees = async (question: string) => {
      asked.push(question)
      return false
    }
    expect(await seed.run({ action: 'retry' }, { agrees })).toEqual({
      code: 2,
      text: `✎ ${object}: ends the wait of 9 m after the error "Error reconciling Network: no route" (it would retry by itself at 12:08:32Z), reconciles at once\nNothing was written.\n`,
    })
    expect(asked).toEqual(['Write this, as trellis-sandbox?'])
    expect([await seed.live(), await seed.events()]).toEqual([before, []])
  })

  test('is an Event at the object with the name of the user', async () => {
    const seed = await seedWith()
    expect(await seed.run({ action: 'retry', target: object, reason: 'route is back' })).toMatchObject({
      code: 0,
    })
    expect((await seed.live()).metadata.annotations?.[annotations.operation]).toBe('reconcile')
    const { uid } = (await seed.live()).metadata
    expect(await seed.events()).toMatchObject([
      {
        involvedObject: { kind: 'Network', name: 'rose', namespace, uid },
        reason: 'RetryRequested',
        message: expect.stringMatching(
          /^trellis-sandbox has run trellis retry \(route is back\): ends the wait/,
        ),
        source: { component: 'trellis' },
      },
    ])
  })

  test('names the user as the kubeconfig does if the API server refuses to', async () => {
    const seed = await seedWith()
    const port: Kubernetes = {
      ...seed.kubernetes,
      create: async (of, ...rest) => {
        if (of.plural === 'selfsubjectreviews') throw new KubernetesError(403, 'Forbidden', 'no')
        return seed.kubernetes.create(of, ...rest)
      },
    }
    await seed.run({ action: 'pause' }, { port })
    expect((await seed.cluster()).metadata.annotations?.[annotations.pause]).toBe(
      '2026-11-22T12:00:00Z anna-in-kubeconfig since 2026-11-21T12:00:00Z',
    )
  })

  test('names the missing right, also for the Event alone', async () => {
    const seed = await seedWith()
    const refuse = async () => {
      throw new KubernetesError(403, 'Forbidden', 'networks "rose" is forbidden')
    }
    expect(
      await seed.run({ action: 'retry' }, { port: { ...seed.kubernetes, patch: refuse } }),
    ).toMatchObject({
      code: 1,
      text: expect.stringContaining(
        `✗ ${object}: you may not patch networks.extensions.gardener.cloud in the namespace ${namespace}`,
      ),
    })
    const port: Kubernetes = {
      ...seed.kubernetes,
      create: (of, ...rest) => (of.plural === 'events' ? refuse() : seed.kubernetes.create(of, ...rest)),
    }
    expect(await seed.run({ action: 'retry' }, { port })).toMatchObject({
      code: 0,
      text: expect.stringContaining(`✓ ${object}; it has no Event: you may not create events`),
    })
  })

  test('is not written to an object that replaced the one that was shown', async () => {
    const seed = await seedWith()
    const agrees = async () => {
      const { spec } = await seed.live()
      const confirmed = { metadata: { annotations: { [annotations.deletionConfirmation]: 'true' } } }
      await seed.kubernetes.patch(resource, key, confirmed)
      await seed.kubernetes.delete(resource, key)
      await seed.kubernetes.create(resource, { apiVersion, kind: 'Network', metadata: key, spec })
      return true
    }
    expect(await seed.run({ action: 'retry' }, { agrees })).toMatchObject({
      code: 1,
      text: expect.stringContaining('it was deleted or replaced meanwhile. Nothing was written'),
    })
    expect((await seed.live()).metadata.annotations).toBeUndefined()
    expect(await seed.events()).toEqual([])
  })

  test('is decided again on an object that has changed since it was shown', async () => {
    const seed = await seedWith()
    const label = { metadata: { labels: { a: 'b' } } }
    const relabel = async () => {
      await seed.kubernetes.patch(resource, key, label)
      return true
    }
    expect(await seed.run({ action: 'retry' }, { agrees: relabel })).toMatchObject({ code: 0 })

    const other = await seedWith()
    const ask = { metadata: { annotations: { [annotations.operation]: 'migrate' } } }
    const migrate = async () => {
      await other.kubernetes.patch(resource, key, ask)
      return true
    }
    expect(await other.run({ action: 'retry' }, { agrees: migrate })).toMatchObject({
      code: 1,
      text: expect.stringContaining('it has changed meanwhile (gardenlet has requested migrate'),
    })
    expect((await other.live()).metadata.annotations?.[annotations.operation]).toBe('migrate')
  })
})

describe('trellis retry and reconcile write nothing to an object', () => {
  const claimed = formatStepAnnotation({
    ...{ phase: 'claimed', operation: 'reconcile', attempt: 0, request: '', generation: 1, was: '' },
    ...{ until: '2026-11-21T12:01:00.000Z', durationMs: 60_000, event: 'e' },
  })
  test.each<[string, GivenNetwork, string]>([
    [
      'with a running step',
      { annotations: { [annotations.step]: claimed }, state: 'Processing' },
      'a step is running, until 12:01:00Z at the latest',
    ],
    [
      'with a request of gardenlet that must stay',
      { annotations: { [annotations.operation]: 'restore' } },
      'gardenlet has requested restore, which must stay until it is done',
    ],
    [
      'with a request that is open',
      { annotations: { [annotations.operation]: 'reconcile' } },
      'a reconciliation is requested already',
    ],
    [
      'that is paused',
      { annotations: { [annotations.pause]: '2026-11-21T13:00:00Z bob: test' } },
      'paused until 13:00:00Z by bob: test: trellis resume ends the pause',
    ],
  ])('%s', async (_, given, text) => {
    const seed = await seedWith(given)
    for (const action of ['retry', 'reconcile'] as const)
      expect(await seed.run({ action })).toEqual({
        code: 0,
        text: `- ${object}: ${text}\nNothing to ${action}.\n`,
      })
  })

  test('of a failed shoot', async () => {
    const seed = await seedWith()
    const metadata = { namespace: 'garden-dev', name: 'rose' }
    const spec = { shoot: { metadata, status: { lastOperation: { state: 'Failed' } } } }
    await seed.kubernetes.patch(clusterKind.resource, { name: namespace }, { spec })
    expect((await seed.run({ action: 'retry' })).text).toContain(
      'its shoot has failed, which holds it. Retry the shoot: kubectl -n garden-dev annotate shoot rose gardener.cloud/operation=retry',
    )
  })
})

describe('trellis pause and resume', () => {
  test('annotate the Cluster of a shoot, and name what is at work', async () => {
    const seed = await seedWith()
    const { text } = await seed.run({ action: 'pause', until: '2h', reason: 'NAT\ngateway' })
    expect(text).toContain(
      `✎ Shoot ${namespace}: no step starts until 2026-11-21T14:00:00Z; a running one ends, and none follows\n`,
    )
    expect(text).toContain(`- ${object}: its step has failed 9 times in a row`)
    expect((await seed.cluster()).metadata.annotations?.[annotations.pause]).toMatch(
      /^2026-11-21T14:00:00Z trellis-sandbox since 2026-11-21T12:00:00Z: NAT gateway$/,
    )
    expect((await seed.live()).metadata.annotations?.[annotations.pause]).toBeUndefined()

    expect((await seed.run({ action: 'pause', until: '3h' })).text).toContain(
      'no step starts until 2026-11-21T15:00:00Z; a running one ends, and none follows (now paused until 14:00:00Z by trellis-sandbox since 2026-11-21T12:00:00Z: NAT',
    )
    expect(await seed.run({ action: 'resume' })).toMatchObject({ code: 0 })
    expect((await seed.cluster()).metadata.annotations?.[annotations.pause]).toBeUndefined()
    expect(await seed.run({ action: 'resume' })).toMatchObject({
      code: 0,
      text: expect.stringContaining('it is not paused\n'),
    })
  })

  test('annotate one object alone, and resume of its shoot ends that too', async () => {
    const seed = await seedWith({ annotations: {}, state: 'Succeeded' })
    await seed.run({ action: 'pause', target: `networks/${namespace}/rose` })
    expect((await seed.live()).metadata.annotations?.[annotations.pause]).toBe(
      '2026-11-22T12:00:00Z trellis-sandbox since 2026-11-21T12:00:00Z',
    )
    expect((await seed.cluster()).metadata.annotations).toBeUndefined()
    await seed.run({ action: 'resume' })
    expect((await seed.live()).metadata.annotations?.[annotations.pause]).toBeUndefined()
  })

  test('annotate the entries of a shoot, also the one from which it is restored', async () => {
    const seed = await seedWith()
    const uid = '5f0b6f0e-0000-4000-8000-0d8f41c6a7b2'
    await seed.kubernetes.patch(
      clusterKind.resource,
      { name: namespace },
      { spec: { seed: { spec: { backup: {} } }, shoot: { metadata: { uid } } } },
    )
    const entries = [`${namespace}--${uid}`, `source-${namespace}--${uid}`]
    for (const name of entries)
      await seed.kubernetes.create(kinds.BackupEntry.resource, {
        ...{ apiVersion, kind: 'BackupEntry', metadata: { name } },
        spec: { type: 'aws', region: 'r', bucketName: 'b', secretRef: { name: 's', namespace: 'garden' } },
      })
    await seed.run({ action: 'pause' })
    const { items } = await seed.kubernetes.list(kinds.BackupEntry.resource)
    expect(items.map(({ metadata }) => metadata.annotations?.[annotations.pause])).toEqual([
      expect.stringMatching(/^2026-11-22/),
      expect.stringMatching(/^2026-11-22/),
    ])
  })

  test.each([object, namespace])('of %s says that another extension goes on', async target => {
    const seed = await seedWith({ annotations: {}, state: 'Succeeded' })
    expect((await seed.run({ action: 'pause', target })).text).toContain(
      'Trellis has not worked on it: another extension knows no pause',
    )
  })

  test('remove an annotation that pauses nothing', async () => {
    const seed = await seedWith({ annotations: { [annotations.pause]: 'until tomorrow' } })
    await seed.run({ action: 'resume' })
    expect((await seed.live()).metadata.annotations?.[annotations.pause]).toBeUndefined()
  })
})

test('a pause does not replace one that was written after the question', async () => {
  const seed = await seedWith()
  const pause = { metadata: { annotations: { [annotations.pause]: '2026-11-30T12:00:00Z carl' } } }
  const pausedByCarl = async () => {
    await seed.kubernetes.patch(resource, key, pause)
    return true
  }
  const done = await seed.run({ action: 'pause', target: object, until: '1h' }, { agrees: pausedByCarl })
  expect(done).toMatchObject({ code: 1, text: expect.stringContaining('it has changed meanwhile') })
  expect((await seed.live()).metadata).toMatchObject(pause.metadata)
})

describe('wrong input is refused:', () => {
  test.each<[string, string]>([
    ['0h', 'in the past'],
    ['2026-11-21T11:59:59Z', 'in the past'],
    ['15d', 'at most 14 days, so until 2026-12-05T12:00:00Z'],
    [
      'tomorrow',
      'expected a duration such as 90m, 24h or 3d, or a time such as 06:00Z or 2026-11-22T12:00:00Z',
    ],
  ])('--until %s', (until, text) => {
    expect(() => endOfPause(until, start)).toThrow(text)
  })

  test('--until takes durations and times', () => {
    const hour = 3_600_000
    expect(
      ['90m', '1h30m', '3d', '14d', '2026-11-21T13:00:00Z'].map(text => endOfPause(text, start) - start),
    ).toEqual([1.5 * hour, 1.5 * hour, 72 * hour, 336 * hour, hour])
  })

  test.each<[string, string]>([
    [`Network/${namespace}/tulip`, `there is no Network ${namespace}/tulip`],
    [`Netwrk/${namespace}/rose`, 'there is no kind Netwrk. Did you mean Network?'],
    ['Network/rose', 'Network/rose: expected Network/NAMESPACE/NAME'],
    [`BackupBucket/${namespace}/b`, 'expected BackupBucket/NAME'],
    ['tulip', 'there is no shoot tulip in this seed'],
  ])('the target %s', async (target, text) => {
    const seed = await seedWith()
    await expect(seed.run({ action: 'reconcile', target })).rejects.toThrow(text)
  })

  test('--kind of one object', async () => {
    const seed = await seedWith()
    await expect(seed.run({ action: 'retry', target: object, kinds: ['Network'] })).rejects.toThrow(
      '--kind chooses objects of a shoot',
    )
  })
})
