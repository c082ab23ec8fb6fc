import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { definition } from '../../../functions/aws/backupbucket/function.ts'
import { findFunctions } from '../../../functions/find-functions.ts'
import { type FunctionProcess, functionProcesses, startSeed } from '../../../sandbox/seed/seed.ts'
import { annotations } from '../../../shared/contract/constants.ts'
import { kinds } from '../../../shared/contract/kinds.ts'
import { parseStepAnnotation } from '../../../shared/contract/step-annotation.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { missingBundle } from '../bundle.ts'
import { atMost, type Benchmark, below, type Figure } from '../figure.ts'
import { usageOf } from '../process-usage.ts'
import { backupBuckets } from './backups.ts'
import { startNumberedObjects } from './numbered-objects.ts'

const count = 1_000_000
const { bundle, objects, objectNumber } = backupBuckets
const { resource, finalizer } = kinds.BackupBucket
const what = 'bucket with 1,000,000 objects deleted'

/** Runs the bundle of the image with the environment of the manifest. */
export const millionObjects: Benchmark = {
  name: 'backup-million',
  run: async () => {
    const missing = await missingBundle([bundle])
    return missing === undefined ? measure() : [{ name: what, missing }]
  },
}

const measure = async (): Promise<readonly Figure[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'trellis-bench-'))
  const kubeconfig = join(folder, 'kubeconfig')
  const processes: FunctionProcess[] = []
  const s3 = await startNumberedObjects(count)
  const ready = readyBucket()
  const { steps, observe, gone } = observeSteps(ready.metadata.name)
  const seed = await startSeed({
    functions: (await findFunctions()).filter(({ name }) => name === definition.name),
    kinds: ['BackupBucket'],
    objects: [...objects, ready],
    observe: event => event.part === 'object' && observe(event.object, event.deleted),
    startFunction: () => async fn => {
      const env = { ...environment, AWS_ENDPOINT_URL: s3.url }
      const started = await functionProcesses({ kubeconfig, env, programOf: () => bundle })(fn)
      processes.push(started)
      return started
    },
  })
  try {
    await writeFile(kubeconfig, seed.kubeconfig, { mode: 0o600 })
    const began = performance.now()
    await seed.kubernetes.delete(resource, { name: ready.metadata.name })
    await gone
    const seconds = (performance.now() - began) / 1000
    if (s3.isBucketThere()) throw new Error(`the object is gone, and ${s3.left()} objects are left`)
    const longest = Math.max(...steps)
    const usage = await usageOf(processes[0]?.pid)
    return [
      {
        name: what,
        value: seconds,
        unit: 's',
        with: `bundle, in ${steps.length} steps; an S3 that answers at once`,
      },
      { name: 'its longest step', value: longest / 1000, unit: 's', target: atMost(20) },
      ...(usage === undefined
        ? []
        : [
            {
              name: 'its highest resident memory',
              value: usage.peakMb,
              unit: 'MB',
              target: below(150),
              with: `with ${environment.NODE_OPTIONS}`,
            } as const,
          ]),
    ]
  } finally {
    await seed.close()
    await s3.close()
    await rm(folder, { recursive: true, force: true })
  }
}

const environment: Readonly<Record<string, string>> = Object.fromEntries(
  (definition.service?.env ?? []).map(({ name, value }) => [name, value]),
)

/** A bucket that exists and has its deletion confirmed. */
const readyBucket = (): KubernetesObject => {
  const object = objectNumber(0)
  return {
    ...object,
    metadata: {
      ...object.metadata,
      generation: 1,
      annotations: { [annotations.deletionConfirmation]: 'true' },
      finalizers: [finalizer()],
    },
    status: {
      observedGeneration: 1,
      lastOperation: {
        type: 'Create',
        state: 'Succeeded',
        progress: 100,
        description: 'Successfully reconciled backupbucket',
        lastUpdateTime: '2026-01-01T00:00:00Z',
      },
    },
  }
}

/** Collects the time of each step from its claim to its end, in ms, as the object reports it. */
const observeSteps = (name: string) => {
  const steps: number[] = []
  const { promise: gone, resolve } = Promise.withResolvers<void>()
  let claimed: number | undefined
  const observe = ({ kind, metadata }: KubernetesObject, deleted: boolean): void => {
    if (kind !== 'BackupBucket' || metadata.name !== name) return
    const isClaimed = parseStepAnnotation(metadata.annotations?.[annotations.step])?.phase === 'claimed'
    if (isClaimed && !deleted) claimed ??= performance.now()
    else if (claimed !== undefined) {
      steps.push(performance.now() - claimed)
      claimed = undefined
    }
    if (deleted) resolve()
  }
  return { steps, observe, gone }
}
