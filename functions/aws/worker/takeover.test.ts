import { describe, expect, test } from 'vitest'
import { kinds } from '../../../shared/contract/kinds.ts'
import { machineKinds } from '../../../shared/contract/machine-kinds.ts'
import { secrets } from '../../../shared/kubernetes/core-resources.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { workerCases } from '../../../test/beside/beside.ts'
import { recordedWorker } from '../../../test/recorded/workers.ts'
import { recordedLife } from './testing/recorded-life.ts'

/** The object as another API server would accept it. */
const bare = ({ metadata, ...object }: KubernetesObject): KubernetesObject => {
  const { uid: _, resourceVersion: __, creationTimestamp: ___, generation: ____, ...kept } = metadata
  return { ...object, metadata: kept }
}

/** The recordings omit times. */
const timed = <T>(value: T): T =>
  JSON.parse(JSON.stringify(value).replaceAll('<time>', '2026-01-10T11:00:00Z'))

const whole = workerCases.filter(name => {
  const [step] = recordedWorker(name).steps
  return (
    step?.action === 'create' &&
    step.result !== undefined &&
    step.lastOperations.at(-1)?.lastError === undefined
  )
})

describe('Trellis takes over the objects of the Go extension', () => {
  test.each(whole)('%s', async name => {
    const { input, steps } = recordedWorker(name)
    const [made] = steps
    const { worker } = made?.result ?? {}
    const { machineClasses = [], machineDeployments = [], machineClassSecrets = [] } = made?.result ?? {}
    if (worker?.status === undefined || worker.status === null) throw new Error('nothing was made')
    const life = await recordedLife({ input })
    const put = async (
      objects: readonly KubernetesObject[],
      resource: typeof secrets,
      kind: string,
      version: string,
    ) => {
      for (const object of objects)
        await life.kubernetes.create(resource, bare({ ...object, apiVersion: version, kind }))
    }
    const { MachineClass, MachineDeployment } = machineKinds
    await put(machineClasses, MachineClass.resource, 'MachineClass', 'machine.sapcloud.io/v1alpha1')
    await put(
      machineDeployments,
      MachineDeployment.resource,
      'MachineDeployment',
      'machine.sapcloud.io/v1alpha1',
    )
    await put(machineClassSecrets, secrets, 'Secret', 'v1')
    const { name: of, namespace = '' } = input.worker.metadata
    await life.kubernetes.patch(
      kinds.Worker.resource,
      { name: of, namespace },
      { status: timed(worker.status) },
      { subresource: 'status' },
    )
    const { writes, worker: after } = await life.play({
      ...made,
      action: 'reconcile',
      lastOperations: [],
      writes: [],
    })
    expect(writes.filter(({ resource }) => !resource.startsWith('workers'))).toEqual([])
    expect(after?.status?.lastOperation?.state).toBe('Succeeded')
    expect(after?.status?.providerStatus).toEqual(worker.status.providerStatus)
    expect(after?.status?.machineDeployments).toEqual(worker.status.machineDeployments)
  })
})
