import { afterAll, beforeAll, expect, test } from 'vitest'
import { createBridge, createEventRecorder } from '../../bridge/bridge.ts'
import { systemClock } from '../../shared/clock/clock.ts'
import { annotations, apiVersion } from '../../shared/contract/constants.ts'
import { allCrds, machineCrds } from '../../shared/contract/crds/crd-of.ts'
import { type KindName, kinds } from '../../shared/contract/kinds.ts'
import { machineKinds } from '../../shared/contract/machine-kinds.ts'
import { formatStepAnnotation } from '../../shared/contract/step-annotation.ts'
import type { ExtensionEvent } from '../../shared/events/events.ts'
import { eventResource, KubernetesError } from '../../shared/kubernetes/kubernetes.ts'
import type { Log } from '../../shared/log/log.ts'
import { namespace, record, shootObjects } from '../bridge/harness.ts'
import { define } from './definitions.ts'
import { type RealCluster, startRealCluster } from './real-cluster.ts'
import { describeWith } from './with-part.ts'

const { resource } = kinds.DNSRecord

const silent: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

const names = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}-${index}`)

describeWith('kube', 'a bridge on kube-apiserver', programs => {
  let cluster: RealCluster
  beforeAll(async () => {
    cluster = await startRealCluster(programs)
    await define(cluster.kubernetes, [...allCrds(), ...machineCrds()])
    await cluster.create(shootObjects.map(([, object]) => object))
  })
  afterAll(() => cluster?.close())

  /** Starts a bridge with a sink that accepts everything at once. Returns the sent events. */
  const start = (of: readonly KindName[] = ['DNSRecord']) => {
    const events: ExtensionEvent[] = []
    const controller = new AbortController()
    const bridge = createBridge({
      kubernetes: cluster.kubernetes,
      send: async event => {
        events.push(event)
        return { kind: 'accepted' }
      },
      clock: systemClock,
      log: silent,
      selection: { kinds: of, classes: ['shoot'], namespaces: [] },
      source: '/seeds/real',
      initialPerSecond: 10_000,
      // Health checks have their own suite.
      monitored: {},
      // No object is claimed here.
      unclaimedMs: 24 * 3_600_000,
    })
    const running = bridge.run(controller.signal)
    return {
      bridge,
      sent: (prefix: string) => events.filter(event => event.name.startsWith(`${prefix}-`)),
      stop: async () => {
        controller.abort()
        await running
      },
    }
  }

  /** Creates objects in sequence, with retries while the server is down. */
  const create = async (wanted: readonly string[]) => {
    for (const name of wanted) {
      await expect
        .poll(() =>
          cluster.kubernetes.create(resource, record(name)).then(
            () => 'created',
            error => (error instanceof KubernetesError ? error.reason : 'no answer'),
          ),
        )
        .toMatch(/^(created|AlreadyExists)$/)
    }
  }

  const everyName = (sent: readonly ExtensionEvent[]) => sent.map(({ name }) => name).toSorted()

  test('sends existing objects and later ones once', async () => {
    await create(names('before', 30))
    const bridge = start()
    try {
      await expect.poll(() => bridge.sent('before').length).toBe(30)
      await create(names('after', 30))
      await expect.poll(() => bridge.sent('after').length).toBe(30)
      expect(everyName(bridge.sent('before'))).toEqual(names('before', 30).toSorted())
      expect(everyName(bridge.sent('after'))).toEqual(names('after', 30).toSorted())
    } finally {
      await bridge.stop()
    }
  })

  test('wakes a step when an awaited MachineDeployment is rolled out', async () => {
    const { kubernetes } = cluster
    const deployments = machineKinds.MachineDeployment.resource
    const key = { name: 'woken-deployment', namespace }
    const { metadata } = await kubernetes.create(deployments, {
      apiVersion: 'machine.sapcloud.io/v1alpha1',
      kind: 'MachineDeployment',
      metadata: key,
      spec: { replicas: 1, template: { spec: { class: { kind: 'MachineClass', name: 'c' } } } },
    })
    const step = formatStepAnnotation({
      ...{ phase: 'waiting', operation: 'reconcile', attempt: 0, durationMs: 3_600_000, event: 'before' },
      ...{ until: new Date(Date.now() + 3_600_000).toISOString(), request: '', generation: 1, was: '' },
    })
    const { bridge, sent, stop } = start(['Worker'])
    try {
      const spec = { type: 'test', region: 'r', secretRef: { name: 'credentials', namespace }, pools: [] }
      const worker = { name: 'woken-worker', namespace, annotations: { [annotations.step]: step } }
      await kubernetes.create(kinds.Worker.resource, { apiVersion, kind: 'Worker', metadata: worker, spec })
      const lastOperation = {
        ...{ type: 'Reconcile', state: 'Processing', progress: 50, description: 'machines' },
        lastUpdateTime: '2026-01-01T00:00:00Z',
      }
      const subresource = { subresource: 'status' } as const
      await kubernetes.patch(kinds.Worker.resource, worker, { status: { lastOperation } }, subresource)
      // Objects of the first list are no changes.
      await expect.poll(() => bridge.awaited().get('machinedeployments')).toBe(1)
      await expect.poll(() => bridge.waiting()[0]?.operation).toBe('continue')
      const conditions = [{ type: 'Available', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' }]
      const counts = { replicas: 1, updatedReplicas: 1, availableReplicas: 1 }
      const status = { observedGeneration: metadata.generation, ...counts, conditions }
      await kubernetes.patch(deployments, key, { status }, subresource)
      const reasons = () => sent('woken').map(({ operation, reason }) => `${operation} (${reason})`)
      await expect.poll(reasons).toEqual(['continue (changed)'])
    } finally {
      await stop()
    }
  })

  test('repeats the id for the same cause after a restart', async () => {
    await create(names('again', 5))
    const idsOfRun = async () => {
      const bridge = start()
      await expect.poll(() => bridge.sent('again').length).toBe(5)
      await bridge.stop()
      return bridge
        .sent('again')
        .map(({ id }) => id)
        .toSorted()
    }
    const first = await idsOfRun()
    expect(new Set(first).size).toBe(5)
    expect(await idsOfRun()).toEqual(first)
  })

  test('loses nothing when the server is killed during changes', async () => {
    const bridge = start()
    try {
      const wanted = names('restart', 100)
      await Promise.all([create(wanted), cluster.server.restart()])
      await expect.poll(() => new Set(bridge.sent('restart').map(({ name }) => name)).size).toBe(100)
    } finally {
      await bridge.stop()
    }
  })

  test('loses nothing when the server has compacted the version that the bridge knew', async () => {
    const bridge = start()
    try {
      await create(['forgotten-0'])
      await expect.poll(() => bridge.sent('forgotten').length).toBe(1)
      await cluster.server.forgetHistory()
      await create(['forgotten-1'])
      await expect.poll(() => everyName(bridge.sent('forgotten'))).toContain('forgotten-1')
    } finally {
      await bridge.stop()
    }
  })

  test('writes one Event for an unclaimed object, where kubectl finds it, and increases its count', async () => {
    await create(['unclaimed-0'])
    const object = await cluster.kubernetes.get(resource, { name: 'unclaimed-0', namespace })
    const { uid = '' } = object?.metadata ?? {}
    for (const times of [1, 2, 3]) {
      // A new process each time.
      const recorder = createEventRecorder({
        kubernetes: cluster.kubernetes,
        clock: systemClock,
        log: silent,
      })
      recorder.event({
        type: 'unclaimed',
        kind: 'DNSRecord',
        object: `${namespace}/unclaimed-0`,
        uid,
        id: 'id',
        operation: 'reconcile',
        reason: 'annotation',
        attempt: 0,
        times,
        provider: 'test',
        known: ['tset'],
      })
      await expect
        .poll(
          async () =>
            (
              await cluster.kubernetes.list(eventResource, {
                namespace,
                fieldSelector: `involvedObject.kind=DNSRecord,involvedObject.name=unclaimed-0,involvedObject.uid=${uid}`,
              })
            ).items,
        )
        .toMatchObject([{ type: 'Warning', reason: 'NotClaimed', count: times }])
    }
  })

  test('sends no event for a change that requests no work', async () => {
    const bridge = start()
    try {
      const key = { name: 'quiet-0', namespace }
      await create([key.name])
      await expect.poll(() => bridge.sent('quiet').length).toBe(1)
      await cluster.kubernetes.patch(
        resource,
        key,
        {
          status: {
            observedGeneration: 1,
            lastOperation: {
              type: 'Create',
              state: 'Succeeded',
              progress: 100,
              description: 'done',
              lastUpdateTime: new Date().toISOString(),
            },
          },
        },
        { subresource: 'status' },
      )
      await cluster.kubernetes.patch(resource, key, {
        metadata: { annotations: { [annotations.operation]: null }, labels: { quiet: 'yes' } },
      })
      // The bridge handles changes in order: an event of the next object means that it has seen the change of the quiet
      // one.
      await create(['quiet-1'])
      await expect.poll(() => everyName(bridge.sent('quiet'))).toContain('quiet-1')
      expect(everyName(bridge.sent('quiet'))).toEqual(['quiet-0', 'quiet-1'])
    } finally {
      await bridge.stop()
    }
  })
})
