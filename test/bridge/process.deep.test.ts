import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { leaseOf, leases } from '../../bridge/bridge.ts'
import { kinds } from '../../shared/contract/kinds.ts'
import { leaseTimes } from './bridge-process.ts'
import { namespace, namespaces, record } from './harness.ts'
import { startProcessSeed } from './process-seed.ts'
import { startSink } from './sink.ts'

const seed = await startProcessSeed()
const { server, kubernetes, sink, folder, start } = seed

afterAll(seed.close)

const create = (name: string) => kubernetes.create(kinds.DNSRecord.resource, record(name))
const idsOf = (name: string) => sink.arrivals.filter(arrival => arrival.name === name).map(({ id }) => id)
const arrivedOf = (names: readonly string[]) => names.every(name => idsOf(name).length > 0)
const names = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${prefix}-${index}`)

test('a bridge that is killed and restarted loses nothing, repeats only ids, and ends cleanly on request', async () => {
  const first = start()
  await create('before')
  await sink.until(() => arrivedOf(['before']))
  expect(await first.end('SIGKILL')).toEqual([null, 'SIGKILL'])
  for (const name of names('meanwhile', 50)) await create(name)
  const second = start()
  await sink.until(() => arrivedOf(names('meanwhile', 50)) && idsOf('before').length === 2)
  for (const name of ['before', ...names('meanwhile', 50)]) expect(new Set(idsOf(name)).size, name).toBe(1)
  expect(await second.end('SIGTERM')).toEqual([0, null])
})

test('a bridge prints the waiting objects and the reasons at SIGUSR2', async () => {
  await create('dumped')
  const bridge = start()
  await sink.until(() => arrivedOf(['dumped']))
  const dumped = () => {
    bridge.signal('SIGUSR2')
    return bridge.log.findLast(({ msg, object }) => msg === 'waiting' && object === `${namespace}/dumped`)
  }
  // The sink has the event slightly before the bridge has the sink's answer.
  await expect.poll(dumped).toMatchObject({ state: 'waiting', why: 'claim awaited', operation: 'reconcile' })
  await bridge.end('SIGTERM')
})

test('a bridge logs one line each for an unreachable sink and API server, and continues once they are reachable', async () => {
  const port = await unusedPort()
  const late = await unusedPort()
  const kubeconfig = join(folder, 'late')
  await writeFile(kubeconfig, server.kubeconfig(`http://127.0.0.1:${late}`))
  const bridge = start({
    TRELLIS_SINK: `http://127.0.0.1:${port}/`,
    TRELLIS_KUBECONFIG: kubeconfig,
    TRELLIS_NAMESPACES: 'late',
  })
  const warnings = () => bridge.log.filter(({ level }) => level === 'warn' || level === 'error')
  await expect.poll(() => warnings().length).toBe(2)
  expect(
    warnings()
      .map(({ msg, setting }) => `${msg}: ${setting}`)
      .toSorted(),
  ).toEqual([
    'cannot reach the API server: --kubeconfig (TRELLIS_KUBECONFIG)',
    'sink does not accept events: --sink (TRELLIS_SINK, K_SINK)',
  ])
  const second = await server.listen({ port: late })
  const lateSink = await startSink(port)
  await kubernetes.create(namespaces, {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'late' },
  })
  await kubernetes.create(kinds.DNSRecord.resource, {
    ...record('late'),
    metadata: { ...record('late').metadata, namespace: 'late' },
  })
  await lateSink.until(() => lateSink.arrivals.length > 0)
  await expect
    .poll(() => bridge.log.map(({ msg }) => msg))
    .toEqual(expect.arrayContaining(['API server is reachable again', 'sink accepts events again']))
  expect(warnings()).toHaveLength(2)
  await bridge.end('SIGTERM')
  lateSink.close()
  await second.close()
})

/** A port that is currently unused. */
const unusedPort = async () => {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  return port
}

/** Starts two bridges with leader election on their own lease, and returns the leader. */
const startPair = async (lease: string, durationMs: number) => {
  const env = {
    TRELLIS_LEADER_ELECTION: 'true',
    TRELLIS_LEASE_NAME: lease,
    ...leaseTimes({ durationMs, renewMs: durationMs - 1_000, retryMs: 400 }),
  }
  const pair = [start(env), start(env)] as const
  const metricOf = async (bridge: (typeof pair)[number], name: string) => {
    const text = await (await fetch(`http://127.0.0.1:${await bridge.port}/metrics`)).text()
    return new RegExp(`^${name}(?:\\{.*\\})? (.*)$`, 'm').exec(text)?.[1]
  }
  await expect
    .poll(() => Promise.all(pair.map(bridge => metricOf(bridge, 'trellis_bridge_ready'))))
    .toEqual(['1', '1'])
  const leading = () => Promise.all(pair.map(bridge => metricOf(bridge, 'trellis_bridge_leader')))
  await expect.poll(async () => (await leading()).toSorted()).toEqual(['0', '1'])
  const leads = await leading()
  const [one, other] = pair
  return leads[0] === '1' ? { leader: one, standby: other } : { leader: other, standby: one }
}

const holderOf = async (name: string) => {
  const object = await kubernetes.get(leases, { namespace: 'trellis', name })
  return object === undefined ? '' : leaseOf(object).holder
}

test('one of two bridges sends, and on shutdown the other one continues at once', async () => {
  const { leader, standby } = await startPair('ends', 3_600_000)
  await create('led')
  await sink.until(() => arrivedOf(['led']))
  const before = await holderOf('ends')
  const ended = leader.end('SIGTERM')
  await create('handed-over')
  await sink.until(() => arrivedOf(['handed-over']))
  expect(await ended).toEqual([0, null])
  // The lease lasts an hour and has not expired.
  await expect.poll(() => holderOf('ends')).not.toMatch(new RegExp(`^(${before})?$`))
  expect(idsOf('led').every(id => id === idsOf('led')[0])).toBe(true)
  await standby.end('SIGTERM')
})

test('a paused leader notices after it resumes that its lease has expired, before it sends anything', async () => {
  const { leader, standby } = await startPair('pauses', 10_000)
  await create('led-1')
  await sink.until(() => arrivedOf(['led-1']))
  const before = await holderOf('pauses')
  leader.signal('SIGSTOP')
  const metrics = `http://127.0.0.1:${await leader.port}/metrics`
  const isStopped = () =>
    fetch(metrics, { signal: AbortSignal.timeout(200) }).then(
      () => false,
      () => true,
    )
  await expect.poll(isStopped).toBe(true)
  for (const name of names('paused', 20)) await create(name)
  // The standby takes over once the lease has expired.
  await sink.until(() => arrivedOf(names('paused', 20)))
  expect(await holderOf('pauses')).not.toBe(before)
  leader.signal('SIGCONT')
  await expect
    .poll(() => leader.log.some(({ msg, leading }) => msg === 'leadership changed' && leading === false))
    .toBe(true)
  for (const name of names('woken', 20)) await create(name)
  await sink.until(() => arrivedOf(names('woken', 20)))
  // It has seen all these changes too. Each was sent once, by the other bridge.
  for (const name of [...names('paused', 20), ...names('woken', 20)]) expect(idsOf(name)).toHaveLength(1)
  await Promise.all([leader.end('SIGTERM'), standby.end('SIGTERM')])
})
