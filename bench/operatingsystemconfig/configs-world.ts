import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { definition } from '../../functions/gardenlinux/operatingsystemconfig/function.ts'
import { type FunctionProcess, functionProcesses, startSeed } from '../../sandbox/seed/seed.ts'
import { systemClock } from '../../shared/clock/clock.ts'
import { apiVersion } from '../../shared/contract/constants.ts'
import { clusterKind, kinds } from '../../shared/contract/kinds.ts'
import type { OperatingSystemConfig } from '../../shared/contract/objects.ts'
import type { GroupVersionResource, KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { dueWork } from '../../shared/lifecycle/lifecycle.ts'
import { usageOf } from '../process-usage.ts'
import { askedAt } from '../shoot.ts'

export const bundle = 'dist/functions/gardenlinux-operatingsystemconfig.cjs'

/** Longest wait for anything, in ms. */
const patienceMs = 60_000

export const namespace = 'shoot--bench--configs'
const core = (plural: string, namespaced: boolean): GroupVersionResource => ({
  group: '',
  version: 'v1',
  plural,
  namespaced,
})
const { resource } = kinds.OperatingSystemConfig

/** A config for new machines with what gardenlet puts there: a script, a token in clear text, and what is in a Secret. */
const configNumber = (index: number): KubernetesObject => ({
  apiVersion,
  kind: 'OperatingSystemConfig',
  metadata: { name: `pool-${index}-init`, namespace, annotations: askedAt(0) },
  spec: {
    type: 'gardenlinux',
    purpose: 'provision',
    units: [
      { name: 'gardener-node-init.service', content: '[Service]\nExecStart=/init.sh\n' },
      { name: 'containerd.service', dropIns: [{ name: '10-a.conf', content: '[Service]\n' }] },
    ],
    files: [
      {
        path: '/init.sh',
        permissions: 0o755,
        content: { inline: { encoding: 'b64', data: Buffer.alloc(3_000, 'x').toString('base64') } },
      },
      { path: '/etc/from-secret', content: { secretRef: { name: 'source', dataKey: 'token' } } },
      {
        path: '/var/lib/gardener-node-agent/credentials/bootstrap-token',
        permissions: 0o640,
        content: { inline: { encoding: '', data: '<<BOOTSTRAP_TOKEN>>' }, transmitUnencoded: true },
      },
    ],
  },
})

/** A seed with a shoot, and one process of the function from its bundle. */
export const startConfigsWorld = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'trellis-bench-'))
  const kubeconfig = join(folder, 'kubeconfig')
  const processes: FunctionProcess[] = []
  const configs = new Map<string, OperatingSystemConfig>()
  const checks = new Set<() => void>()
  const seed = await startSeed({
    functions: [{ ...definition, file: 'functions/gardenlinux/operatingsystemconfig/function.ts' }],
    kinds: ['OperatingSystemConfig'],
    startFunction: ({ kubeconfig: text }) => {
      const start = functionProcesses({ kubeconfig, programOf: () => bundle })
      return async fn => {
        await writeFile(kubeconfig, text, { mode: 0o600 })
        const running = await start(fn)
        processes.push(running)
        return running
      }
    },
    observe: event => {
      if (event.part !== 'object' || event.object.kind !== 'OperatingSystemConfig') return
      configs.set(event.object.metadata.name, event.object as OperatingSystemConfig)
      for (const check of checks) check()
    },
  })
  const { kubernetes } = seed
  await kubernetes.create(core('namespaces', false), {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: namespace, labels: { 'gardener.cloud/role': 'shoot' } },
  })
  await kubernetes.create(clusterKind.resource, {
    apiVersion,
    kind: 'Cluster',
    metadata: { name: namespace },
    spec: { cloudProfile: {}, seed: {}, shoot: { spec: { kubernetes: { version: '1.33.3' } } } },
  })
  await kubernetes.create(core('secrets', true), {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'source', namespace },
    data: { token: btoa('s3cr3t') },
  })

  const isReady = (index: number): boolean => {
    const config = configs.get(`pool-${index}-init`)
    return (
      config?.status?.lastOperation?.state === 'Succeeded' &&
      dueWork('OperatingSystemConfig', config, systemClock.now()).kind === 'none'
    )
  }
  const until = (holds: () => boolean): Promise<void> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`not done in ${patienceMs} ms`)), patienceMs)
      const check = () => {
        if (!holds()) return
        checks.delete(check)
        clearTimeout(timer)
        resolve()
      }
      checks.add(check)
      check()
    })

  return {
    seed,
    processes,
    usage: () => usageOf(processes[0]?.pid),
    /** Creates configs as gardenlet does; resolves when all have succeeded. */
    create: async (indices: readonly number[]) => {
      await Promise.all(indices.map(index => kubernetes.create(resource, configNumber(index))))
      await until(() => indices.every(isReady))
    },
    reconcile: async (index: number, nth: number) => {
      const key = { name: `pool-${index}-init`, namespace }
      const patched = await kubernetes.patch(resource, key, { metadata: { annotations: askedAt(nth) } })
      configs.set(key.name, patched as OperatingSystemConfig)
      await until(() => isReady(index))
    },
    close: async () => {
      await seed.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
