import { verticalPodAutoscalers } from '../definitions/vertical-pod-autoscaler.ts'
import type { Shell } from './shell.ts'

/** Releases of Knative with these files exist on GitHub. As in docs/installing.md. */
export const knativeVersion = 'knative-v1.20.0'
const release = (of: string) => `https://github.com/${of}/releases/download/${knativeVersion}`
const serving = release('knative/serving')
const eventing = release('knative/eventing')

export interface KindCluster {
  /** The registry, by its name on this host and in the nodes: `localhost:49153`. */
  readonly registry: string
  /** An address of this host that pods reach. */
  readonly host: string
  /** True if the address leads to 127.0.0.1 of this host, as in Docker Desktop. */
  readonly isForwarded: boolean
}

/** The registry of https://kind.sigs.k8s.io/docs/user/local-registry/, and a cluster whose nodes pull from it. */
export const startKindCluster = async (
  shell: Shell,
  {
    name,
    kubeconfig,
    platform,
  }: { readonly name: string; readonly kubeconfig: string; readonly platform: string },
): Promise<KindCluster> => {
  const { run } = shell
  const registryName = `${name}-registry`
  await run([
    'docker',
    'run',
    '--detach',
    '--name',
    registryName,
    '--publish',
    '127.0.0.1::5000',
    'registry:2',
  ])
  const published = await run(['docker', 'port', registryName, '5000/tcp'])
  const registry = `localhost:${published.split(':').at(-1)}`
  const config = [
    'kind: Cluster',
    'apiVersion: kind.x-k8s.io/v1alpha4',
    'containerdConfigPatches:',
    '  - |-',
    '    [plugins."io.containerd.grpc.v1.cri".registry]',
    '      config_path = "/etc/containerd/certs.d"',
  ].join('\n')
  await run(
    [
      'kind',
      'create',
      'cluster',
      '--name',
      name,
      '--kubeconfig',
      kubeconfig,
      '--wait',
      '5m',
      '--config',
      '-',
    ],
    config,
  )
  await run(['docker', 'network', 'connect', 'kind', registryName])
  const node = `${name}-control-plane`
  const folder = `/etc/containerd/certs.d/${registry}`
  await run(['docker', 'exec', node, 'mkdir', '-p', folder])
  await run(
    ['docker', 'exec', '--interactive', node, 'cp', '/dev/stdin', `${folder}/hosts.toml`],
    `[host."http://${registryName}:5000"]\n`,
  )
  const isForwarded = platform !== 'linux'
  const format = '{{range .IPAM.Config}}{{.Gateway}} {{end}}'
  // On Linux the gateway of the network is this host. Docker Desktop has a name for it; our servers answer to addresses.
  const addresses = isForwarded
    ? await run(['docker', 'exec', node, 'getent', 'ahostsv4', 'host.docker.internal'])
    : await run(['docker', 'network', 'inspect', 'kind', '--format', format])
  const host = addresses.split(/\s+/).find(address => /^\d+(?:\.\d+){3}$/.test(address))
  if (host === undefined && !shell.isDry) throw new Error(`pods cannot reach this host: ${addresses}`)
  return { registry, host: host ?? '<this host>', isForwarded }
}

export const removeKindCluster = async ({ run }: Shell, name: string): Promise<void> => {
  await run(['kind', 'delete', 'cluster', '--name', name])
  await run(['docker', 'rm', '--force', '--volumes', `${name}-registry`])
}

/** Installs Knative as docs/installing.md does. */
export const installKnative = async ({ run }: Shell): Promise<void> => {
  const apply = (...files: readonly string[]) =>
    run(['kubectl', 'apply', ...files.flatMap(file => ['-f', file])])
  const available = ['wait', '--for=condition=Available', 'deployments', '--all', '--timeout=10m']
  await apply(`${serving}/serving-crds.yaml`, `${eventing}/eventing-crds.yaml`)
  await run(['kubectl', 'wait', '--for=condition=Established', 'crd', '--all'])
  await apply(`${serving}/serving-core.yaml`, `${release('knative-extensions/net-kourier')}/kourier.yaml`)
  const data = { 'ingress-class': 'kourier.ingress.networking.knative.dev' }
  await run([
    ...['kubectl', '-n', 'knative-serving', 'patch', 'configmap', 'config-network', '--type', 'merge'],
    ...['--patch', JSON.stringify({ data })],
  ])
  await apply(
    ...['eventing-core', 'in-memory-channel', 'mt-channel-broker'].map(file => `${eventing}/${file}.yaml`),
  )
  for (const namespace of ['knative-serving', 'knative-eventing'])
    await run(['kubectl', '-n', namespace, ...available])
}

const trellis = ['node', 'cli/trellis.mjs']

/** Builds and pushes the images, and installs each function of AWS and of the small kinds from them. */
export const installTrellis = async (
  { run }: Shell,
  options: {
    readonly registry: string
    /** A folder for images and values. */
    readonly folder: string
    /** The path of a file with values of the chart. */
    readonly values: string
  },
): Promise<void> => {
  const { registry, folder, values } = options
  await run([
    ...trellis,
    'image',
    '--registry',
    `${registry}/trellis`,
    '--push',
    '--plain-http',
    '--out',
    `${folder}/images`,
  ])
  const serverSide = ['kubectl', 'apply', '--server-side', '-f', '-']
  await run(serverSide, await run([...trellis, 'crds', '--all']))
  // Every seed of Gardener has it, and control planes contain such objects.
  await run(serverSide, JSON.stringify(verticalPodAutoscalers))
  const manifests = await run([
    ...[...trellis, 'install', '--render', 'manifests', '--provider', 'aws,calico,gardenlinux,gvisor'],
    ...['--function', 'local/extension-shoot', '--seed', 'kind', '--images', `${folder}/images/images.json`],
    ...['--profile', 'in-memory', '--values', values],
  ])
  await run(serverSide, manifests)
  await run([
    ...['kubectl', '-n', 'trellis', 'wait', '--for=condition=Ready', 'broker,triggers,ksvc', '--all'],
    '--timeout=10m',
  ])
  for (const name of ['bridge', 'webhook'])
    await run(['kubectl', '-n', 'trellis', 'rollout', 'status', 'deployment', name, '--timeout=5m'])
}
