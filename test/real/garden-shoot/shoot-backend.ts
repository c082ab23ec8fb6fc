import { createPrivateKey } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import { createServer as createHttpServer } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, connect, createServer, type NetConnectOpts, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { generate } from 'selfsigned'
import type { MachineCloud } from '../../../sandbox/machine-controller/machine-controller.ts'
import { systemClock } from '../../../shared/clock/clock.ts'
import { secrets, services } from '../../../shared/kubernetes/core-resources.ts'
import {
  type ClusterAccess,
  createKubernetes,
  httpTransport,
  inlineKubeconfigAccess,
  type Kubernetes,
} from '../../../shared/kubernetes/kubernetes.ts'
import { startEtcd } from '../etcd.ts'
import type { Certificate } from '../garden/authority.ts'
import type { GardenSeed } from '../garden/start-seed.ts'
import { kubeletsOf } from '../gardener/kubelets.ts'
import { serveCloud } from '../gardener/remote-cloud.ts'
import { serveNodes } from './shoot-nodes.ts'

/** The parts of a Shoot on this host, whichever seed it is in. Its servers trust every client. */
export interface ShootBackend {
  /** Ports of 127.0.0.1. */
  readonly ports: {
    /** Answers for snapshots of etcd, which are not needed, and leads to the kubelets. */
    readonly tunnel: number
    /** The cloud of the machine controller. */
    readonly machines: number
  }
  /** The API server of the Shoot. */
  readonly shoot: Kubernetes
  /** From now on, the control plane of the Shoot is in this seed. */
  follow(seed: Pick<GardenSeed, 'kubernetes' | 'machine'>): void
  close(): Promise<void>
}

export interface ShootBackendOptions {
  readonly cloud: MachineCloud
  /** The namespace of the Shoot in its seed. */
  readonly namespace: string
}

const portOf = async (server: Server): Promise<number> => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

const forwardTo = (target: () => NetConnectOpts): Server =>
  createServer({ noDelay: true }, client => {
    const server = connect(target())
    client.pipe(server).pipe(client)
    client.on('error', () => server.destroy())
    server.on('error', () => client.destroy())
  })

const textOf = (data: unknown, key: string) =>
  Buffer.from(String(Object(data)[key] ?? ''), 'base64').toString()

const certificateFor = async (host: string, { certificate, key }: Certificate): Promise<Certificate> => {
  const pkcs8 = createPrivateKey(key).export({ type: 'pkcs8', format: 'pem' }).toString()
  const issued = await generate([{ name: 'commonName', value: 'kubelet' }], {
    algorithm: 'sha256',
    ca: { cert: certificate, key: pkcs8 },
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: host }] }],
  })
  return { certificate: issued.cert, key: issued.private }
}

/** Answers plain requests, and each CONNECT as a kubelet with a certificate of this authority. */
const tunnelServer = (authority: () => Promise<Certificate>) =>
  createHttpServer((_, answer) => answer.end()).on('connect', async ({ url = '' }, socket) => {
    socket.on('error', () => {})
    try {
      const { certificate, key } = await certificateFor(url.replace(/:\d+$/, ''), await authority())
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      // gardenlet only looks whether it can forward a port.
      const forwarded = [
        ...['HTTP/1.1 101 Switching Protocols', 'Connection: Upgrade', 'Upgrade: SPDY/3.1'],
        'X-Stream-Protocol-Version: portforward.k8s.io',
      ].join('\r\n')
      createHttpsServer({ cert: certificate, key }, (_, answer) => answer.end())
        .on('upgrade', (_, upgraded) => upgraded.write(`${forwarded}\r\n\r\n`))
        .emit('connection', socket)
    } catch (error) {
      socket.end(`HTTP/1.1 502 Bad Gateway\r\n\r\n${error}`)
    }
  })

export interface ShootEtcd {
  /** A port of 127.0.0.1. */
  readonly port: number
  close(): Promise<void>
}

/** Starts the etcd of a Shoot. It outlives the Pods of an Etcd, as a volume or a backup does. */
export const startShootEtcd = async (program: string): Promise<ShootEtcd> => {
  const etcd = startEtcd(program, await mkdtemp(join(tmpdir(), 'trellis-shoot-')))
  const server = forwardTo(() => ({ path: etcd.url.slice('unix://'.length) }))
  return {
    port: await portOf(server),
    close: async () => {
      server.close()
      await etcd.close()
    },
  }
}

/** Starts the kubelets and the cloud of a Shoot. */
export const startShootBackend = async ({ cloud, namespace }: ShootBackendOptions): Promise<ShootBackend> => {
  let seed: Parameters<ShootBackend['follow']>[0] | undefined
  let apiServer: number | undefined
  const seedKubernetes = () => {
    if (seed === undefined) throw new Error('the Shoot has no seed yet')
    return seed.kubernetes
  }
  const apiFront = forwardTo(() => ({ host: '127.0.0.1', port: apiServer ?? 1 }))
  const tunnel = tunnelServer(async () => {
    const { items } = await seedKubernetes().list(secrets, { namespace, labelSelector: 'name=ca-kubelet' })
    const issued = (one: (typeof items)[number]) => Number(one.metadata.labels?.['issued-at-time'] ?? 0)
    const { data } = Object(items.toSorted((a, b) => issued(b) - issued(a))[0])
    return { certificate: textOf(data, 'ca.crt'), key: textOf(data, 'ca.key') }
  })

  let known: { readonly text: string; readonly access: ClusterAccess } | undefined
  const access: ClusterAccess = {
    server: `https://127.0.0.1:${await portOf(apiFront)}`,
    credentials: async () => {
      const secret = await seedKubernetes().get(secrets, { namespace, name: 'gardener-internal' })
      const text = textOf(Object(secret).data, 'kubeconfig')
      if (known?.text !== text) known = { text, access: await inlineKubeconfigAccess(text) }
      return known.access.credentials()
    },
  }
  const transport = httpTransport({ access })
  const shoot = createKubernetes({ transport: transport.send, clock: systemClock })
  const kubelets = kubeletsOf(cloud, shoot)
  const remote = await serveCloud(kubelets.cloud)

  const ended = new AbortController()
  const round = async () => {
    if (apiServer === undefined) {
      const service = await seedKubernetes().get(services, { namespace, name: 'kube-apiserver' })
      const { clusterIP } = Object(service?.spec)
      if (clusterIP !== undefined) apiServer = (await seed?.machine.openInside(clusterIP, 443))?.port
    } else await serveNodes(shoot, transport)
  }
  const rounds = async () => {
    while (!ended.signal.aborted) {
      // The API server may not run, and objects change meanwhile.
      await round().catch(() => {})
      await sleep(500)
    }
  }
  const running = rounds()
  return {
    ports: {
      tunnel: await portOf(tunnel),
      machines: Number(new URL(remote.url).port),
    },
    shoot,
    follow: next => {
      seed = next
      apiServer = undefined
    },
    close: async () => {
      ended.abort()
      await running
      await kubelets.close()
      await remote.close()
      transport.close()
      apiFront.close()
      tunnel.close()
      tunnel.closeAllConnections()
    },
  }
}
