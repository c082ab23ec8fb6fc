import { afterEach, expect, test } from 'vitest'
import { virtualClock } from '../../../shared/clock/clock.ts'
import type { KindName } from '../../../shared/contract/kinds.ts'
import {
  createListQueue,
  type GroupVersionResource,
  KubernetesError,
} from '../../../shared/kubernetes/kubernetes.ts'
import type { SeenObject } from '../../core/core.ts'
import { fakeKubernetes } from '../../testing/fake-kubernetes.ts'
import { createKnativePath, type KnativePathOptions, knativeResources } from './knative-path.ts'

const start = Date.parse('2026-11-21T12:00:00Z')
const namespace = 'trellis'
const sink = 'http://broker-ingress.knative-eventing.svc/trellis/default'
const { brokers, triggers, services } = knativeResources

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

const idle: SeenObject['decision'] = { kind: 'nothing' }

interface Shown {
  readonly status?: string
  readonly since?: string
  readonly routes?: string
  readonly labels?: Record<string, string>
}

const seenOf = (kind: KindName, provider: string, name = 'one'): SeenObject => ({
  ...{ kind, decision: idle, initial: false, facts: { provider } as SeenObject['facts'] },
  object: { apiVersion: 'v1', kind, metadata: { name, namespace: 'shoot' } },
})

const newPath = async (options: Partial<KnativePathOptions> = {}) => {
  const clock = virtualClock(start)
  const fake = fakeKubernetes()
  const lines: unknown[] = []
  const quiet = () => {}
  const path = createKnativePath({
    kubernetes: fake.port,
    clock,
    log: {
      debug: quiet,
      info: (_, fields) => void lines.push(Object(fields).why),
      warn: quiet,
      error: quiet,
    },
    listQueue: createListQueue(clock),
    namespace,
    sink,
    selection: {
      kinds: ['ControlPlane', 'Worker', 'DNSRecord'],
      served: [
        { kind: 'ControlPlane', type: 'aws', classes: ['shoot'] },
        { kind: 'Worker', type: 'aws', classes: ['shoot'] },
        { kind: 'DNSRecord', type: 'aws-route53', classes: ['shoot'] },
      ],
    },
    ...options,
  })
  const put = (resource: GroupVersionResource, name: string, spec: object, shown: Shown, more = {}) => {
    const { status = 'True', since, routes, labels } = shown
    const condition = {
      type: 'Ready',
      status,
      reason: 'Because',
      message: 'so it is',
      lastTransitionTime: since,
    }
    fake.put(resource, {
      apiVersion: `${resource.group}/v1`,
      kind: 'any',
      metadata: { name, namespace, ...(labels && { labels }) },
      spec,
      status: {
        conditions: [condition, ...(routes === undefined ? [] : [{ type: 'RoutesReady', status: routes }])],
        ...more,
      },
    })
  }
  const broker = (shown: Shown = {}, url = sink) => put(brokers, 'default', {}, shown, { address: { url } })
  const trigger = (name: string, spec: object, shown: Shown = {}) =>
    put(
      triggers,
      name,
      {
        broker: 'default',
        subscriber: { ref: { apiVersion: 'serving.knative.dev/v1', kind: 'Service', name } },
        ...spec,
      },
      shown,
    )
  const service = (name: string, shown: Shown = {}) => put(services, name, {}, shown)
  const filterOf = (kind: string, provider = 'aws') => ({ filter: { attributes: { kind, provider } } })
  broker()
  for (const [name, filter] of [
    ['aws-controlplane', filterOf('ControlPlane')],
    ['aws-worker', filterOf('Worker')],
    ['aws-dnsrecord', filterOf('DNSRecord', 'aws-route53')],
  ] as const) {
    trigger(name, filter)
    service(name)
  }
  const stop = new AbortController()
  const run = async () => {
    const running = path.run(stop.signal)
    ends.push(async () => {
      stop.abort()
      await running
    })
    await clock.advance(0)
  }
  /** Reads the path every 30 s, as the bridge does. */
  const after = async (seconds: number) => {
    for (let second = 0; second < seconds; second += 30) {
      path.brokenFor()
      await clock.advance(Math.min(30, seconds - second) * 1_000)
    }
    return path.brokenFor()
  }
  const see = (kind: KindName, provider: string, name = 'one') =>
    path.objectSeen(seenOf(kind, provider, name))
  return { clock, fake, lines, path, broker, trigger, service, filterOf, run, after, see }
}

test('nothing is broken while everything is ready', async () => {
  const { run, after, lines } = await newPath()
  await run()
  expect(await after(3_600)).toBeUndefined()
  expect(lines).toEqual([])
})

test.each(['False', 'Unknown'])('a Broker with Ready %s breaks the path after a minute', async status => {
  const { run, after, broker, path } = await newPath()
  await run()
  broker({ status })
  expect(await after(60)).toBeUndefined()
  expect(await after(1)).toBe('Broker default is not ready: Because: so it is')
  expect(path.brokenFor(['aws'])).toBeDefined()
  broker()
  expect(await after(1)).toBeUndefined()
})

test('a restart of the bridge does not start the minute again', async () => {
  const { run, path, broker } = await newPath()
  broker({ status: 'False', since: '2026-11-21T11:50:00Z' })
  await run()
  expect(path.brokenFor()).toBe('Broker default is not ready: Because: so it is')
})

test('a time from the future does not postpone the end of the minute', async () => {
  const { run, after, broker } = await newPath()
  broker({ status: 'False', since: '2026-11-22T12:00:00Z' })
  await run()
  expect(await after(61)).toBeDefined()
})

test('changes of the reason do not start the minute again', async () => {
  const { run, after, broker } = await newPath()
  await run()
  broker({ status: 'Unknown', since: '2026-11-21T12:00:00Z' })
  await after(50)
  broker({ status: 'False', since: '2026-11-21T12:00:50Z' })
  expect(await after(11)).toBeDefined()
})

test('a deleted Broker breaks the path', async () => {
  const { run, after, fake } = await newPath()
  await run()
  fake.remove(brokers, { name: 'default', namespace })
  expect(await after(60)).toBeUndefined()
  expect(await after(31)).toBe('Broker default is missing')
})

test('a Trigger that is not ready breaks the path of its type', async () => {
  const { run, after, trigger, filterOf, path } = await newPath()
  await run()
  trigger('aws-worker', filterOf('Worker'), { status: 'False' })
  expect(await after(61)).toBe('Trigger aws-worker is not ready: Because: so it is')
  expect(path.brokenFor(['aws'])).toBeDefined()
  expect(path.brokenFor(['aws-route53'])).toBeUndefined()
})

test('a deleted Trigger breaks the path, and a new one of another name repairs it', async () => {
  const { run, after, fake, trigger } = await newPath()
  await run()
  fake.remove(triggers, { name: 'aws-worker', namespace })
  expect(await after(60)).toBeUndefined()
  expect(await after(31)).toBe('no Trigger selects events of Workers of type aws')
  trigger('mine', {
    filters: [{ exact: { kind: 'Worker' } }, { any: [{ exact: { provider: 'aws' } }] }],
    subscriber: { uri: 'http://elsewhere' },
  })
  expect(await after(1)).toBeUndefined()
  fake.remove(triggers, { name: 'mine', namespace })
  expect(await after(60)).toBeUndefined()
})

test('a Trigger of another Broker and one for all kinds do not count', async () => {
  const { run, after, fake, trigger, filterOf } = await newPath()
  fake.remove(triggers, { name: 'aws-worker', namespace })
  trigger('other', { ...filterOf('Worker'), broker: 'another' })
  trigger('audit', {})
  await run()
  expect(await after(61)).toBe('no Trigger selects events of Workers of type aws')
})

test.each([
  ['an expression', { filters: [{ cesql: "kind = 'Worker' AND provider = 'aws'" }] }],
  ['the provider alone', { filter: { attributes: { provider: 'aws' } } }],
])('a Trigger that selects by %s counts', async (_, filter) => {
  const { run, after, fake, trigger } = await newPath()
  fake.remove(triggers, { name: 'aws-worker', namespace })
  trigger('mine', { ...filter, subscriber: { uri: 'http://elsewhere' } })
  await run()
  expect(await after(600)).toBeUndefined()
})

test('one of two ways is enough', async () => {
  const { run, after, trigger, filterOf } = await newPath()
  trigger('second', { ...filterOf('Worker'), subscriber: { uri: 'http://elsewhere' } })
  trigger('aws-worker', filterOf('Worker'), { status: 'False' })
  await run()
  expect(await after(600)).toBeUndefined()
})

test('functions without health checks do not count', async () => {
  const { run, after, trigger, service, filterOf } = await newPath()
  trigger('aws-dnsrecord', filterOf('DNSRecord', 'aws-route53'), { status: 'False' })
  service('aws-dnsrecord', { status: 'False' })
  await run()
  expect(await after(600)).toBeUndefined()
})

test('a function without health checks of a kind with conditions does not count', async () => {
  const unchecked = { kind: 'ControlPlane', type: 'aws', classes: ['shoot'], unchecked: true } as const
  const { run, after, service } = await newPath({
    selection: { kinds: ['ControlPlane'], served: [unchecked] },
  })
  service('aws-controlplane', { status: 'False' })
  await run()
  expect(await after(600)).toBeUndefined()
})

test('a Service that is not ready breaks the path of its type', async () => {
  const { run, after, service, fake } = await newPath()
  await run()
  service('aws-controlplane', { status: 'False', routes: 'False' })
  expect(await after(61)).toBe('Knative Service aws-controlplane is not ready: Because: so it is')
  service('aws-controlplane')
  expect(await after(1)).toBeUndefined()
  fake.remove(services, { name: 'aws-controlplane', namespace })
  expect(await after(91)).toBe('Knative Service aws-controlplane is missing')
})

test.each(['Unknown', 'False'])(
  'a Service whose previous revision serves works while the new one has Ready %s',
  async status => {
    const { run, after, service } = await newPath()
    await run()
    service('aws-controlplane', { status, routes: 'True' })
    expect(await after(600)).toBeUndefined()
  },
)

test('a new state of a broken object does not end the problem of a clock that was set back', async () => {
  const { run, after, broker, clock } = await newPath()
  await run()
  broker({ status: 'False' })
  const now = clock.now
  Object.assign(clock, { now: () => now() - 3_600_000 })
  expect(await after(91)).toBeDefined()
})

test('a sink that is no Broker of the namespace is noted once, and nothing is reported', async () => {
  const { run, after, lines, broker } = await newPath({ sink: 'http://elsewhere/sink' })
  broker({ status: 'False' })
  await run()
  expect(await after(600)).toBeUndefined()
  expect(lines).toEqual(['no Broker in namespace trellis has the address of the sink'])
})

test('a Broker with several addresses is found by any of them', async () => {
  const { run, after, fake } = await newPath()
  fake.put(brokers, {
    apiVersion: 'eventing.knative.dev/v1',
    kind: 'Broker',
    metadata: { name: 'default', namespace },
    status: { address: { url: 'https://other' }, addresses: [{ url: 'https://other' }, { url: `${sink}/` }] },
  })
  await run()
  expect(await after(61)).toBe('Broker default is not ready: its condition Ready is missing')
})

test.each([
  [404, 'the cluster does not define'],
  [403, 'cannot watch'],
])('if the API server answers %s, that is noted once, and nothing is reported', async (status, why) => {
  const refuse = () => {
    throw new KubernetesError(status, 'No', 'no')
  }
  const kubernetes = { list: refuse, watch: refuse } as unknown as KnativePathOptions['kubernetes']
  const { run, after, lines, path, clock } = await newPath({ kubernetes })
  await run()
  expect(await after(3_600)).toBeUndefined()
  expect(lines).toEqual([expect.stringContaining(why)])
  // Otherwise the bridge counts as stuck.
  for (const { lastActivity } of path.watches) expect(clock.now() - lastActivity()).toBeLessThan(60_000)
})

test('a function without health checks is needed while an object of it exists', async () => {
  const { run, after, service, path, see } = await newPath()
  await run()
  service('aws-dnsrecord', { status: 'False' })
  expect(await after(120)).toBeUndefined()
  const why = 'Knative Service aws-dnsrecord is not ready: Because: so it is'
  expect(path.brokenForObjects()).toBeUndefined()
  see('DNSRecord', 'aws-route53')
  see('DNSRecord', 'aws-route53', 'two')
  see('DNSRecord', 'aws-route53')
  expect(path.brokenForObjects()).toBe(why)
  path.objectDeleted('DNSRecord', { name: 'one', namespace: 'shoot' })
  expect(path.brokenForObjects()).toBe(why)
  path.objectDeleted('DNSRecord', { name: 'two', namespace: 'shoot' })
  expect(path.brokenForObjects()).toBeUndefined()
})

test.each<[string, KindName, SeenObject['decision']]>([
  ['objects of other extensions', 'DNSRecord', undefined],
  ['a Bastion, for which gardenlet does not wait', 'Bastion', idle],
])('%s make no function needed', async (_, kind, decision) => {
  const { run, after, path, see } = await newPath()
  await run()
  // No Trigger selects their events.
  path.objectSeen({ ...seenOf(kind, 'another'), decision })
  see('DNSRecord', 'aws-route53')
  path.brokenForObjects()
  await after(120)
  expect(path.brokenForObjects()).toBeUndefined()
})
