import { describe, expect, test } from 'vitest'
import { kinds } from '../../../shared/contract/kinds.ts'
import { machineKinds } from '../../../shared/contract/machine-kinds.ts'
import { secrets } from '../../../shared/kubernetes/core-resources.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { fakeNova } from './testing/fake-nova.ts'
import { machinesSeed } from './testing/machines-seed.ts'
import { recordedCases, recordedMachines } from './testing/recordings.ts'

/** The id of a real server group is part of a hash, and the recordings do not have it. */
const cases = recordedCases.filter(
  name =>
    !name.startsWith('error-') &&
    name !== 'machine-failed' &&
    !JSON.stringify(recordedMachines(name)).includes('serverGroupDependencies'),
)

describe('Trellis takes over the objects of the Go extension', () => {
  test.each(cases)('%s', async name => {
    const { input, steps } = recordedMachines(name)
    const [made] = steps
    if (made?.result.status === undefined || made.result.status === null) throw new Error('nothing was made')
    const { namespace = '' } = input.worker.metadata
    const seed = await machinesSeed(input)
    const { kubernetes } = seed.seed
    const put = async (
      { resource }: { readonly resource: typeof secrets },
      kind: string,
      objects: readonly object[],
    ) => {
      const apiVersion = kind === 'Secret' ? 'v1' : 'machine.sapcloud.io/v1alpha1'
      for (const object of objects as readonly KubernetesObject[])
        await kubernetes.create(resource, {
          ...object,
          apiVersion,
          kind,
          ...(kind === 'Secret' && { type: 'Opaque' }),
          metadata: { ...object.metadata, namespace },
        })
    }
    await put(machineKinds.MachineClass, 'MachineClass', made.result.machineClasses)
    await put(machineKinds.MachineDeployment, 'MachineDeployment', made.result.machineDeployments)
    await put({ resource: secrets }, 'Secret', made.result.machineClassSecrets)
    await kubernetes.patch(
      kinds.Worker.resource,
      { name: input.worker.metadata.name, namespace },
      { status: made.result.status },
      { subresource: 'status' },
    )
    await seed.run()
    expect(seed.writesSince(0).filter(({ resource }) => !resource.startsWith('workers'))).toEqual([])
    const { status } = (await seed.live()) ?? {}
    expect(status?.lastOperation?.state).toBe('Succeeded')
    expect(status?.providerStatus).toEqual(made.result.status.providerStatus)
    seed.seed.close()
  })

  test('server groups: the recorded ones are read, and nothing is created', async () => {
    const { input, steps } = recordedMachines('server-groups')
    const status = steps[0]?.result.status ?? {}
    const nova = fakeNova()
    for (const { name, id } of Object(status.providerStatus).serverGroupDependencies)
      nova.add({ name, id, policies: [name.endsWith('3b58282c') ? 'anti-affinity' : 'soft-anti-affinity'] })
    const before = nova.names()
    const seed = await machinesSeed({ ...input, worker: { ...input.worker, status } }, { nova })
    await seed.run()
    expect((await seed.live())?.status?.providerStatus).toEqual(status.providerStatus)
    expect(nova.names()).toEqual(before)
    expect(nova.calls.map(({ name }) => name.split('/')[0])).toEqual([
      'login',
      'GET os-server-groups',
      'GET os-server-groups',
    ])
    seed.seed.close()
  })
})

/** The Go extension needs 18 and 12, without the reads, which it has from caches. */
test('a Worker with one pool needs at most 11 writes to be created, and 4 of 14 requests are writes if it is idle', async () => {
  const seed = await machinesSeed(recordedMachines('minimal').input)
  await seed.run()
  const created = seed.seed.requests.length
  expect(created).toBeLessThanOrEqual(28)
  expect(seed.writesSince(0).length).toBeLessThanOrEqual(11)
  await seed.ask('reconcile')
  await seed.run()
  expect(seed.seed.requests.length - created).toBeLessThanOrEqual(14)
  expect(seed.writesSince(created).length).toBeLessThanOrEqual(4)
  seed.seed.close()
})
