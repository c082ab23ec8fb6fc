import { expect, test } from 'vitest'
import type { Worker } from '../../../shared/contract/objects.ts'
import { type RecordedWorker, recordedWorker } from '../../../test/recorded/workers.ts'
import { recordedLife } from './testing/recorded-life.ts'

/** The recorded Worker, with other fields of its pool. */
const withPool = ({ input }: RecordedWorker, fields: object): Pick<RecordedWorker, 'input'> => ({
  input: {
    ...input,
    worker: {
      ...input.worker,
      spec: { ...input.worker.spec, pools: input.worker.spec.pools.map(pool => ({ ...pool, ...fields })) },
    } as Worker,
  },
})

test('cores that are null, as the Go extension writes them (W9), are no change', async () => {
  const providerConfig = {
    apiVersion: 'aws.provider.extensions.gardener.cloud/v1alpha1',
    kind: 'WorkerConfig',
    cpuOptions: { amdSevSnp: 'enabled' },
  }
  const life = await recordedLife(withPool(recordedWorker('minimal'), { providerConfig }))
  const step = { lastOperations: [], writes: [] }
  const made = await life.play({ action: 'create', ...step })
  expect(made.machineClasses[0]).toMatchObject({
    providerSpec: { cpuOptions: { coreCount: null, threadsPerCore: null, amdSevSnp: 'enabled' } },
  })
  const { writes, worker } = await life.play({ action: 'reconcile', ...step })
  expect(worker?.status?.lastOperation?.state).toBe('Succeeded')
  expect(writes.filter(({ resource }) => !resource.startsWith('workers'))).toEqual([])
})
