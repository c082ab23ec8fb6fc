import { generateKeyPairSync } from 'node:crypto'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stringify } from 'yaml'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { startEtcd } from '../etcd.ts'
import { onFreePorts } from '../free-port.ts'
import type { ServerNetwork } from '../kube-apiserver.ts'
import { kubeconfigText, makeKubeIdentity } from '../kube-identity.ts'
import type { GardenPrograms } from '../programs/garden-programs.ts'
import { type RealCluster, startRealCluster } from '../real-cluster.ts'
import { type ServerProcess, startRestartedProcess, startServerProcess } from '../server-process.ts'
import { untilPasses } from '../until-passes.ts'
import { createAuthority } from './authority.ts'

/** A garden: kube-apiserver with gardener-apiserver behind it, and gardener-controller-manager. */
export interface Garden extends RealCluster {
  /** A folder that ends with the garden. */
  readonly folder: string
  /** Writes a kubeconfig with the certificate of a user, and returns its path. `at`: another address of the garden. */
  kubeconfigOf(user: { readonly name: string; readonly group: string; readonly at?: string }): Promise<string>
  /** Returns the last output of Gardener's programs. */
  output(): string
}

/** The API groups of gardener-apiserver, each with its versions. */
const groups: Readonly<Record<string, readonly string[]>> = {
  core: ['v1', 'v1beta1'],
  seedmanagement: ['v1alpha1'],
  operations: ['v1alpha1'],
  security: ['v1alpha1'],
}

const namespace = 'garden'

/** kube-apiserver refuses Endpoints at loopback addresses, but follows a name (`ResolveCluster` of its proxy). */
const service = (port: number): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'gardener-apiserver', namespace },
  spec: { type: 'ExternalName', externalName: 'localhost', ports: [{ port }] },
})

const apiServices = (port: number): readonly KubernetesObject[] =>
  Object.entries(groups).flatMap(([group, versions]) =>
    versions.map((version, index) => ({
      apiVersion: 'apiregistration.k8s.io/v1',
      kind: 'APIService',
      metadata: { name: `${version}.${group}.gardener.cloud` },
      spec: {
        group: `${group}.gardener.cloud`,
        version,
        groupPriorityMinimum: 10_000,
        versionPriority: 20 + index,
        insecureSkipTLSVerify: true,
        service: { name: 'gardener-apiserver', namespace, port },
      },
    })),
  )

/**
 * Starts the garden. Takes about ten seconds and 700 MB. `network`: where its API servers run, and reach webhooks.
 * Default: that of this host.
 */
export const startGarden = async (programs: GardenPrograms, network?: ServerNetwork): Promise<Garden> => {
  const folder = await mkdtemp(join(tmpdir(), 'trellis-garden-'))
  const write = async (name: string, content: string): Promise<string> => {
    const path = join(folder, name)
    await writeFile(path, content, { mode: 0o600 })
    return path
  }
  const undo: (() => Promise<unknown>)[] = []
  const close = async () => {
    for (const step of undo.splice(0).reverse()) await step()
  }
  const outputs: (() => string)[] = []
  const started = (server: ServerProcess) => {
    undo.push(server.stop)
    outputs.push(server.output)
  }
  try {
    const etcd = startEtcd(programs.etcd, folder)
    undo.push(etcd.close)
    const users = await createAuthority('users')
    const proxies = await createAuthority('proxies')
    const proxy = await proxies.issue({ name: 'kube-aggregator' })
    const cluster = await startRealCluster(programs, {
      flags: [
        `--client-ca-file=${await write('users.crt', users.certificate)}`,
        `--requestheader-client-ca-file=${await write('proxies.crt', proxies.certificate)}`,
        '--requestheader-username-headers=X-Remote-User',
        '--requestheader-group-headers=X-Remote-Group',
        '--requestheader-extra-headers-prefix=X-Remote-Extra-',
        `--proxy-client-cert-file=${await write('proxy.crt', proxy.certificate)}`,
        `--proxy-client-key-file=${await write('proxy.key', proxy.key)}`,
        // Tokens of Gardener's resource managers have the second one.
        '--api-audiences=https://kubernetes.default.svc,gardener',
      ],
      ...(network && { network }),
    })
    undo.push(cluster.close)
    const kubeconfig = await cluster.server.kubeconfig()
    await cluster.create([{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }])
    await startApiServer()
    await startControllerManager()
    return {
      ...cluster,
      folder,
      kubeconfigOf: async ({ name, group, at }) => {
        const { certificate, key } = await users.issue({ name, group })
        const { server, credentials } = cluster.server.access
        const base64 = (text: string) => Buffer.from(text).toString('base64')
        const user = { 'client-certificate-data': base64(certificate), 'client-key-data': base64(key) }
        const ca = String((await credentials()).tls?.ca)
        return write(`${name.replaceAll(/\W/g, '-')}.kubeconfig`, kubeconfigText(at ?? server, user, ca))
      },
      output: () => outputs.map(output => output()).join('\n'),
      close,
    }

    async function startApiServer() {
      const serving = await makeKubeIdentity(await mkdtemp(join(folder, 'serving-')))
      const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
      const issuer = await write('issuer.key', privateKey.export({ type: 'pkcs1', format: 'pem' }).toString())
      const [command = '', ...within] = [...(network?.within ?? []), programs.gardenerApiserver]
      const access = network
        ? await cluster.server.kubeconfig(undefined, `https://${network.address}`)
        : kubeconfig
      await onFreePorts(1, async (port = 0) => {
        started(
          startServerProcess({
            command,
            args: [
              ...within,
              ...[`--etcd-servers=${etcd.url}`, '--cluster-identity=garden', '--log-format=json'],
              ...['authentication-kubeconfig', 'authorization-kubeconfig', 'kubeconfig'].map(
                flag => `--${flag}=${access}`,
              ),
              ...['--bind-address=127.0.0.1', `--secure-port=${port}`],
              ...[
                `--tls-cert-file=${serving.files.certificate}`,
                `--tls-private-key-file=${serving.files.key}`,
              ],
              '--workload-identity-token-issuer=https://issuer.example.org',
              `--workload-identity-signing-key-file=${issuer}`,
            ],
          }),
        )
        await cluster.create([service(port), ...apiServices(port)])
        await untilPasses(
          async () => {
            for (const one of apiServices(port)) {
              const found = await cluster.kubernetes.get(await cluster.resourceOf(one), one.metadata)
              const conditions: readonly { readonly type: string; readonly status: string }[] =
                Object(found?.status).conditions ?? []
              if (!conditions.some(({ type, status }) => type === 'Available' && status === 'True'))
                throw new Error(`${one.metadata.name} is not available: ${JSON.stringify(conditions)}`)
            }
          },
          { timeoutMs: 60_000, intervalMs: 200 },
        )
      })
    }

    async function startControllerManager() {
      await onFreePorts(2, async (health = 0, metrics = 0) => {
        const config = {
          apiVersion: 'controllermanager.config.gardener.cloud/v1alpha1',
          kind: 'ControllerManagerConfiguration',
          gardenClientConnection: { kubeconfig, qps: 100, burst: 130 },
          controllers: { seed: { syncPeriod: '10s' } },
          leaderElection: { leaderElect: false },
          server: { healthProbes: { port: health }, metrics: { port: metrics } },
        }
        const file = await write('controller-manager.yaml', stringify(config))
        started(
          startRestartedProcess({ command: programs.gardenerControllerManager, args: [`--config=${file}`] }),
        )
      })
    }
  } catch (error) {
    const output = outputs.map(one => one().slice(-4_000)).join('\n')
    await close()
    throw new Error(`cannot start the garden; Gardener's programs reported: ${output}`, { cause: error })
  }
}
