import { readFile } from 'node:fs/promises'
import { systemClock } from '../../../shared/clock/clock.ts'
import { kinds } from '../../../shared/contract/kinds.ts'
import { services } from '../../../shared/kubernetes/core-resources.ts'
import {
  createReflector,
  type Kubernetes,
  type KubernetesObject,
} from '../../../shared/kubernetes/kubernetes.ts'
import type { GardenSeed } from '../garden/start-seed.ts'
import type { ContainerImages } from '../knative/machine/container-images.ts'
import { trellisImages } from '../knative/trellis-images.ts'
import type { GardenShootPrograms } from '../programs/garden-programs.ts'
import { type EtcdAddress, etcds, frontImage, serveEtcd } from './etcd-druid.ts'
import type { ShootBackend, ShootEtcd } from './shoot-backend.ts'

const releases = 'europe-docker.pkg.dev/gardener-project/releases'
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

export interface ServedShoots {
  readonly backend: ShootBackend
  /** By the namespace of the Shoot in its seed. */
  readonly etcds: Readonly<Record<string, ShootEtcd>>
  readonly signal: AbortSignal
}

/** Leads the name of a Shoot to its API server, as its DNS record, the load balancer and Istio do. */
const serveName = async (kubernetes: Kubernetes, { metadata, spec }: KubernetesObject): Promise<void> => {
  const { name, namespace = '', deletionTimestamp } = metadata
  if (!namespace.startsWith('shoot--') || deletionTimestamp !== undefined) return
  const annotations = { 'external-dns.alpha.kubernetes.io/hostname': String(Object(spec).name) }
  const service = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: `outside-${name}`, namespace, annotations },
    spec: { selector: { app: 'kubernetes', role: 'apiserver' }, ports: [{ port: 443 }] },
  }
  await kubernetes.apply(services, service, { fieldManager: 'istio', force: true })
}

/**
 * Prepares a seed for a Shoot: gives it the programs of a control plane, which then run as gardenlet and the functions
 * render them, and plays etcd-druid and Istio.
 */
export const serveShoots = async (
  programs: GardenShootPrograms,
  { machine, kubernetes }: GardenSeed,
  { backend: { ports }, etcds: ofShoots, signal }: ServedShoots,
): Promise<void> => {
  const tunnel = await machine.openOutside(ports.tunnel)
  const machines = await machine.openOutside(ports.machines)
  const user = '65532:65532'
  const replaced = (program: string) => ({ command: [program], replaces: 'program', user }) as const
  const { bridge } = await trellisImages()
  const [nodeProgram] = bridge?.config.Entrypoint ?? []
  if (bridge === undefined || nodeProgram === undefined) throw new Error('there is no image with Node')
  const source = await readFile(new URL('tls-front.ts', import.meta.url), 'utf8')
  const node = {
    root: bridge.root,
    command: [nodeProgram, '--input-type=module-typescript', '--eval', source],
  }
  const certificates = '/srv/secrets/envoy-proxy'
  const images: ContainerImages = {
    'registry.k8s.io/kube-apiserver': replaced(programs.kubeApiserver),
    'registry.k8s.io/kube-controller-manager': replaced(programs.kubeControllerManager),
    [`${releases}/gardener/machine-controller-manager`]: replaced(programs.machineControllerManager),
    [`${releases}/gardener/machine-controller-manager-provider-aws`]: {
      command: [programs.machineController],
      environment: { CLOUD_URL: `http://${machines.host}:${machines.port}` },
      user,
    },
    [frontImage]: node,
    [`${releases}/3rd/envoyproxy/envoy`]: {
      ...node,
      command: [...node.command, '9443', certificates, 'http/1.1', tunnel.host, String(tunnel.port)],
      replaces: 'command',
      user,
    },
  }
  await machine.addImages(images)
  const addresses = new Map<string | undefined, EtcdAddress>()
  for (const [namespace, { port: hostPort }] of Object.entries(ofShoots)) {
    const { host, port } = await machine.openOutside(hostPort)
    addresses.set(namespace, { host, port, snapshotPort: tunnel.port })
  }
  const serve = (resource: typeof etcds, one: (object: KubernetesObject) => Promise<void>) => {
    const reflector = createReflector({
      ...{ kubernetes, resource, log: silent, clock: systemClock },
      // The next event of the object repeats what failed.
      handler: { upsert: object => void one(object).catch(() => {}), deleted: () => {} },
    })
    void reflector.run(signal)
  }
  serve(etcds, async object => {
    const address = addresses.get(object.metadata.namespace)
    if (address !== undefined) await serveEtcd(kubernetes, object, address)
  })
  serve(kinds.DNSRecord.resource, object => serveName(kubernetes, object))
}
