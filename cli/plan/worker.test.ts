import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { createApiServer, storeKey } from '../../sandbox/kubernetes/kubernetes.ts'
import { systemClock } from '../../shared/clock/clock.ts'
import { allCrds, machineCrds } from '../../shared/contract/crds/crd-of.ts'
import type { Cluster, Worker, WorkerPool } from '../../shared/contract/objects.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { events, temporaryFiles } from '../replay/testing/replay-run.ts'
import type { PlanOptions } from './plan-object.ts'
import { plan } from './testing/plan-run.ts'
import { example, reconciledWorker } from './testing/reconciled-worker.ts'

const running = await reconciledWorker()
let files: Awaited<ReturnType<typeof temporaryFiles>>
beforeAll(async () => {
  files = await temporaryFiles()
})
afterAll(() => files.remove())

type ChangePool = (pool: WorkerPool) => Partial<WorkerPool>
const withPools = (change: ChangePool, objects = running): readonly KubernetesObject[] =>
  objects.map(object => {
    if (object.kind !== 'Worker') return object
    const worker = object as Worker
    const pools = worker.spec.pools.map(pool => ({ ...pool, ...change(pool) }))
    return { ...worker, spec: { ...worker.spec, pools } }
  })

const onlyPool =
  (name: string, fields: Partial<WorkerPool>): ChangePool =>
  pool =>
    pool.name === name ? fields : {}

const planOf = async (objects: readonly KubernetesObject[], options: Partial<PlanOptions> = {}) => {
  const path = await files.write(
    `${Math.random()}.yaml`,
    objects.map(object => `---\n${stringify(object)}`).join(''),
  )
  const planned = await plan([path], options)
  const longest = Math.max(...planned.text.split('\n').map(line => line.length))
  if (options.output !== 'json') expect(longest).toBeLessThanOrEqual(100)
  return planned
}

const larger = onlyPool('batch', { dataVolumes: [{ name: 'kubelet-dir', type: 'gp3', size: '60Gi' }] })

describe('a plan of a Worker', () => {
  test('for a new one, it lists the created objects, and needs only the file', async () => {
    const { text, differs } = await plan([example])
    expect(differs).toBe(true)
    expect(text).toBe(`Reconciling Worker shoot--garden--pools/pools

+ create 2 machine deployments of pool system with 2 machines
    shoot--garden--pools-system-z1: 1 machine
    shoot--garden--pools-system-z2: 1 machine
+ create 1 machine deployment of pool batch with 1 machine
    shoot--garden--pools-batch-z1: 1 machine

Plan: 2 to create, 0 to change, 0 to delete
Machines: 3 made
`)
  })

  test('with running machines, it is empty', async () => {
    expect(await planOf(running)).toEqual({
      text: 'Reconciling Worker shoot--garden--pools/pools\n\nNothing to do.\n',
      differs: false,
    })
  })

  test('it lists the machines that roll, and the exact input that causes it', async () => {
    const { text } = await planOf(withPools(larger))
    expect(text).toBe(`Reconciling Worker shoot--garden--pools/pools

± roll pool batch: replace 1 machine, at most 1 more and 1 fewer at once
    because of data volume kubelet-dir: size: 50Gi → 60Gi
    shoot--garden--pools-batch-z1: 1 machine, at most 1 more and 1 fewer at once

Plan: 0 to create, 0 to change, 1 to replace, 0 to delete
Machines: 1 replaced
`)
  })

  test('it says if the input cannot be proved, and which values differ then', async () => {
    const nodeAgentSecretName = 'gardener-node-agent-system-another'
    const { text } = await planOf(
      withPools(onlyPool('system', { nodeAgentSecretName, volume: { type: 'gp3', size: '80Gi' } })),
    )
    expect(text).toContain(`± roll pool system: replace 2 machines, at most 2 more at once
    perhaps: name of the Secret of the node agent: ${nodeAgentSecretName}
    not proved: a class does not record it (a hash of machine type, image, root volume, Kubernetes)
    providerSpec.blockDevices[0].ebs.volumeSize: 50 → 80
    shoot--garden--pools-system-z1: 1 machine, at most 1 more at once
    shoot--garden--pools-system-z2: 1 machine, at most 1 more at once
`)
  })

  test('it shows a pool with a problem in lines that fit a terminal, and plans the others', async () => {
    const { text, differs } = await planOf(
      withPools(pool => (pool.name === 'system' ? { machineType: 'm5.huge' } : larger(pool))),
    )
    expect(differs).toBe(true)
    expect(text).toContain(
      '! pool system has a problem and is unchanged; nothing is deleted meanwhile\n    machine type "m5.huge" not found in cloud profile "aws"',
    )
    expect(text.replaceAll(/\s+/g, ' ')).toContain('spec.pools[0].machineType')
    expect(text).toContain('(ERR_CONFIGURATION_PROBLEM)\n± roll pool batch: replace 1 machine')
    expect(text).toContain('\nPlan: 0 to create, 0 to change, 1 to replace, 0 to delete\n')
  })

  test('it fails if the whole Worker is impossible, as its step would', async () => {
    const broken = running.map(object => {
      if (object.kind !== 'Worker') return object
      const { infrastructureProviderStatus: _, ...spec } = (object as Worker).spec
      return { ...object, spec }
    })
    await expect(planOf(broken)).rejects.toThrow(/^failed to generate the machine deployments: .*ERR_/)
    const alone = running.filter(({ kind }) => kind !== 'Cluster')
    await expect(planOf(alone)).rejects.toThrow(
      'the namespace shoot--garden--pools of the shoot has no Cluster',
    )
  })

  test('it hibernates the machines with the shoot', async () => {
    const asleep = running.map(object => {
      if (object.kind !== 'Cluster') return object
      const { spec } = object as Cluster
      const shoot = { ...spec.shoot, spec: { ...spec.shoot.spec, hibernation: { enabled: true } } }
      return { ...object, spec: { ...spec, shoot } }
    })
    expect((await planOf(asleep)).text).toContain(`~ mark 3 machines for deletion without a drain
~ scale 2 machine deployments of pool system: 2 → 0 machines
    shoot--garden--pools-system-z1: 1 → 0 machines
    shoot--garden--pools-system-z2: 1 → 0 machines
`)
  })

  test('for a deletion, it lists everything that is deleted', async () => {
    expect((await planOf(running, { delete: true })).text).toBe(`Deleting Worker shoot--garden--pools/pools

~ mark 3 machines for deletion without a drain
- delete 1 machine deployment of pool batch with 1 machine
    shoot--garden--pools-batch-z1: 1 machine
- delete 2 machine deployments of pool system with 2 machines
    shoot--garden--pools-system-z1: 1 machine
    shoot--garden--pools-system-z2: 1 machine

Plan: 0 to create, 1 to change, 2 to delete
Machines: 3 deleted
`)
  })

  test('it is available as data for programs', async () => {
    const { text } = await planOf(withPools(larger), { output: 'json' })
    expect(JSON.parse(text)).toMatchObject({
      object: { kind: 'Worker', namespace: 'shoot--garden--pools', name: 'pools' },
      destroying: false,
      actions: [
        {
          kind: 'replace',
          after: [],
          changes: [{ attribute: 'data volume kubelet-dir: size', before: '50Gi', after: '60Gi' }],
          pool: 'batch',
          why: { isProved: true },
          deployments: [
            { name: 'shoot--garden--pools-batch-z1', machines: 1, atOnce: { surge: 1, unavailable: 1 } },
          ],
        },
      ],
      problems: [],
      machines: { replaced: 1, updatedInPlace: 0, made: 0, deleted: 0 },
      writes: [
        { verb: 'create', resource: 'secrets' },
        { verb: 'create', resource: 'machineclasses' },
        { verb: 'patch', resource: 'machinedeployments' },
        { verb: 'delete', resource: 'machineclasses' },
        { verb: 'delete', resource: 'secrets' },
      ],
    })
  })

  test('it accepts the Worker of a saved event, with a file of the existing objects', async () => {
    const there = running.filter(({ kind }) => kind !== 'Worker')
    const path = await files.write('there.yaml', there.map(object => `---\n${stringify(object)}`).join(''))
    const { text } = await plan([join(events, 'worker-rolled.json'), path])
    expect(text).toContain('because of data volume kubelet-dir: size: 50Gi → 60Gi\n')
  })

  test('it recognizes the machine controller’s kinds only in its group', async () => {
    const other = running.map(object =>
      object.kind === 'MachineDeployment' ? { ...object, apiVersion: 'cluster.x-k8s.io/v1beta1' } : object,
    )
    expect((await planOf(other)).text).toContain('+ create 1 machine deployment of pool batch')
  })

  test('it reads a live cluster, and writes nothing to it', async () => {
    const server = createApiServer({ clock: systemClock, objects: [...allCrds(), ...machineCrds()] })
    const plurals: Readonly<Record<string, string>> = { Secret: 'secrets' }
    for (const object of withPools(larger)) {
      const [group = ''] = object.apiVersion.split('/')
      const plural = plurals[object.kind] ?? `${object.kind.toLowerCase().replace(/ss$/, 'sse')}s.${group}`
      server.store.collection(plural).put(storeKey(object.metadata.namespace, object.metadata.name), object)
    }
    const listening = await server.listen()
    try {
      const kubeconfig = await files.write('kubeconfig', '')
      await writeFile(kubeconfig, server.kubeconfig(listening.url))
      const version = server.store.version()
      const { text } = await plan(['worker/shoot--garden--pools/pools'], { kubeconfig })
      expect(text).toContain('± roll pool batch: replace 1 machine')
      expect(server.store.version()).toBe(version)
    } finally {
      await listening.close()
      server.close()
    }
  })
})
