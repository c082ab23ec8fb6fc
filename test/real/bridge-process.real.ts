import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { leaseOf, leases } from '../../bridge/bridge.ts'
import { systemClock } from '../../shared/clock/clock.ts'
import { apiVersion } from '../../shared/contract/constants.ts'
import { allCrds } from '../../shared/contract/crds/crd-of.ts'
import { kinds } from '../../shared/contract/kinds.ts'
import { multiplexedTransport, readText } from '../../shared/kubernetes/kubernetes.ts'
import { bridgeProcesses } from '../bridge/bridge-process.ts'
import { record, shootObjects } from '../bridge/harness.ts'
import { type Sink, startSink } from '../bridge/sink.ts'
import { define, manifestsIn } from './definitions.ts'
import { type RealCluster, startRealCluster } from './real-cluster.ts'
import { describeWith } from './with-part.ts'

/** The objects of `knative/base/bridge.yaml` that a bare API server accepts: the account and its rules. */
const isForAccount = ({
  kind,
  metadata,
}: {
  readonly kind: string
  readonly metadata: { readonly name: string }
}) =>
  kind === 'Namespace' ||
  (/^(ServiceAccount|(Cluster)?Role(Binding)?)$/.test(kind) && /bridge$/.test(metadata.name))

describeWith(
  'kube',
  'bridges as processes on kube-apiserver, with the account of their manifest',
  programs => {
    let cluster: RealCluster
    let sink: Sink
    let kubeconfig = ''
    let folder = ''
    const processes = bridgeProcesses()
    beforeAll(async () => {
      cluster = await startRealCluster(programs)
      await define(cluster.kubernetes, allCrds())
      await cluster.create(shootObjects.map(([, object]) => object))
      await cluster.create((await manifestsIn('knative/base')).filter(isForAccount))
      kubeconfig = await cluster.server.kubeconfig({ namespace: 'trellis', name: 'bridge' })
      sink = await startSink()
      folder = await mkdtemp(join(tmpdir(), 'trellis-bridge-'))
    })
    afterAll(async () => {
      processes.killAll()
      sink?.close()
      await cluster?.close()
      if (folder !== '') await rm(folder, { recursive: true })
    })

    const start = (env: Readonly<Record<string, string>> = {}) =>
      processes.start({
        TRELLIS_KUBECONFIG: kubeconfig,
        TRELLIS_LEADER_ELECTION: 'true',
        TRELLIS_KINDS: Object.keys(kinds).join(),
        K_SINK: sink.url,
        ...env,
      })
    const metricsOf = async ({ port }: ReturnType<typeof start>) =>
      (await fetch(`http://127.0.0.1:${await port}/metrics`)).text()
    const create = (name: string) => cluster.kubernetes.create(kinds.DNSRecord.resource, record(name))
    const arrived = (name: string) => sink.arrivals.some(arrival => arrival.name === name)
    const holder = async () => {
      const object = await cluster.kubernetes.get(leases, { namespace: 'trellis', name: 'trellis-bridge' })
      return object === undefined ? '' : leaseOf(object).holder
    }

    test('have all necessary permissions, and hand over when the leader ends', async () => {
      await create('before')
      const first = start()
      await sink.until(() => arrived('before'))
      await expect.poll(() => metricsOf(first)).toMatch(/^trellis_bridge_ready 1$/m)
      const second = start()
      await expect.poll(() => metricsOf(second)).toMatch(/^trellis_bridge_ready 1$/m)
      expect(await metricsOf(second)).toMatch(/^trellis_bridge_leader 0$/m)
      for (const bridge of [first, second])
        expect(bridge.log.filter(({ level }) => level !== 'info')).toEqual([])
      const before = await holder()
      expect(await first.end('SIGTERM')).toEqual([0, null])
      await create('handed-over')
      await sink.until(() => arrived('handed-over'))
      expect(await holder()).not.toBe(before)
      await second.end('SIGTERM')
    })

    test('send an object with thousands of levels, which kube-apiserver accepts', async () => {
      const { name, namespace } = { name: 'deep', namespace: 'shoot--foo--bar' }
      const transport = multiplexedTransport({ access: cluster.server.access, clock: systemClock })
      const object = {
        apiVersion,
        kind: 'Infrastructure',
        metadata: { name, namespace },
        spec: { type: 'test', region: 'x', secretRef: { name, namespace }, providerConfig: { deep: 'here' } },
      }
      // JSON.stringify cannot write it.
      const deep = '{"a":'.repeat(9_000) + 1 + '}'.repeat(9_000)
      const { status } = await transport.send({
        method: 'POST',
        path: `/apis/${apiVersion}/namespaces/${namespace}/infrastructures`,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(object).replace('"here"', deep),
      })
      transport.close()
      expect(status).toBe(201)
      const bridge = start()
      await sink.until(() => arrived(name))
      expect(bridge.log.filter(({ level }) => level !== 'info')).toEqual([])
      await bridge.end('SIGTERM')
    })

    test('read existing objects as streams, all over one connection', async () => {
      const way = await countingWay(cluster.server.url)
      const file = join(folder, 'counted')
      await writeFile(file, (await readFile(kubeconfig, 'utf8')).replace(cluster.server.url, way.url))
      const before = await listsOf(cluster)
      const bridge = start({ TRELLIS_KUBECONFIG: file })
      await expect.poll(() => metricsOf(bridge)).toMatch(/^trellis_bridge_leader 1$/m)
      await expect.poll(() => metricsOf(bridge)).toMatch(/^trellis_bridge_ready 1$/m)
      expect(way.connections()).toBe(1)
      expect(await listsOf(cluster)).toEqual(before)
      await bridge.end('SIGTERM')
      way.close()
    })
  },
)

/** A proxy to the server that counts connections. */
const countingWay = async (url: string) => {
  const sockets: Socket[] = []
  let connections = 0
  const server = createServer(near => {
    connections++
    const far = connect(Number(new URL(url).port), '127.0.0.1')
    for (const socket of [near, far]) socket.on('error', () => near.destroy() && far.destroy())
    sockets.push(near, far)
    near.pipe(far).pipe(near)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () => connections,
    close: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

/** Returns how often kube-apiserver received a list request for extension objects, by resource. */
const listsOf = async ({ server }: RealCluster): Promise<readonly string[]> => {
  const transport = multiplexedTransport({ access: server.access, clock: systemClock })
  try {
    const { body } = await transport.send({ method: 'GET', path: '/metrics', headers: {} })
    return (await readText(body))
      .split('\n')
      .filter(line => /^apiserver_request_total\{.*group="extensions.gardener.cloud".*verb="LIST"/.test(line))
      .toSorted()
  } finally {
    transport.close()
  }
}
