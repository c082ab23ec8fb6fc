import { describe, expect, test } from 'vitest'
import type { Cluster, Worker } from '../../../shared/contract/objects.ts'
import { workerCases } from '../../../test/beside/beside.ts'
import { type RecordedStep, recordedWorker } from '../../../test/recorded/workers.ts'
import { awsMachines } from './aws-machines.ts'

/** The desired classes of a Worker in comparable form: by name, without the additions of the flow. */
const desiredOf = (worker: Worker, cluster: Cluster) => {
  const technicalId = worker.metadata.namespace ?? ''
  const { pools, providerStatus } = awsMachines.desired({ worker, cluster, technicalId })
  const classes = pools.flatMap(pool => {
    if (pool.kind === 'problem') throw pool.error
    return pool.zones.map(({ content }, index) => ({
      deployment: `${technicalId}-${pool.pool.name}-z${index + 1}`,
      ...content,
    }))
  })
  return { classes, providerStatus }
}

const classesOf = ({ result }: RecordedStep) =>
  (result?.machineClasses ?? []).map(machineClass => {
    const { metadata, provider, providerSpec, nodeTemplate } = machineClass as unknown as {
      readonly metadata: { readonly name: string; readonly labels: object }
      readonly [field: string]: unknown
    }
    const deployment = metadata.name.replace(/-[0-9a-f]{5}$/, '')
    return { deployment, labels: metadata.labels, provider, providerSpec, nodeTemplate }
  })

describe('the classes of a recorded Worker', () => {
  test.each(workerCases)('%s', name => {
    const { input, steps } = recordedWorker(name)
    let status = input.worker.status
    const compared = steps.filter(({ result }) => (result?.machineClasses.length ?? 0) > 0)
    expect(compared.length).toBeGreaterThan(0)
    for (const step of compared) {
      const worker = step.result?.worker
      if (!worker) continue
      const { status: _, ...made } = worker
      const desired = desiredOf({ ...made, ...(status && { status }) } as Worker, input.cluster)
      expect(desired.classes).toEqual(expect.arrayContaining(classesOf(step)))
      expect(desired.classes).toHaveLength(classesOf(step).length)
      expect(desired.providerStatus).toEqual(worker.status?.providerStatus)
      status = worker.status
    }
  })
})
