import { describe, expect, test } from 'vitest'
import type { Worker } from '../../../shared/contract/objects.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { workerCases } from '../../../test/beside/beside.ts'
import { type RecordedStep, recordedWorker } from '../../../test/recorded/workers.ts'
import { planWorker } from './plan.ts'

type Result = NonNullable<RecordedStep['result']>

/** A read-only cluster with the objects that the Go extension left. */
const readerOf = (secrets: readonly KubernetesObject[], result: Result) => {
  const objects: Readonly<Record<string, readonly KubernetesObject[]>> = {
    secrets: [...secrets, ...result.machineClassSecrets],
    machineclasses: result.machineClasses,
    machinedeployments: result.machineDeployments,
  }
  return {
    get: async ({ plural }: { readonly plural: string }, { name }: { readonly name: string }) =>
      objects[plural]?.find(({ metadata }) => metadata.name === name),
    list: async ({ plural }: { readonly plural: string }, { labelSelector = '' } = {}) => {
      const [key = '', value] = labelSelector.split('=')
      const items = objects[plural] ?? []
      return {
        items: key === '' ? items : items.filter(({ metadata }) => metadata.labels?.[key] === value),
        resourceVersion: '1',
      }
    },
  }
}

const planOf = ({ input }: ReturnType<typeof recordedWorker>, worker: unknown, result: Result) => {
  return planWorker({
    object: worker as Worker,
    cluster: input.cluster,
    secret: { data: {} } as never,
    kubernetes: readerOf(input.secrets, result),
    clock: { now: () => 0 } as never,
    signal: new AbortController().signal,
  })
}

const merged = (target: unknown, patch: unknown): unknown => {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch
  const result = { ...(target as Record<string, unknown> | undefined) }
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key]
    else result[key] = merged(result[key], value)
  }
  return result
}

/** The steps of a case that ended successfully with only the objects of the input and their own. */
const stepsOf = (name: (typeof workerCases)[number]) =>
  recordedWorker(name).steps.filter(
    ({ result, before }) =>
      before === undefined &&
      result?.worker?.status?.lastOperation?.state === 'Succeeded' &&
      result.machineDeployments.length > 0,
  )

describe('a plan of a Worker whose machines the Go extension has made', () => {
  test.each(workerCases)('%s: plans no change', async name => {
    const recorded = recordedWorker(name)
    const steps = stepsOf(name)
    for (const { result } of steps) {
      if (result === undefined) continue
      const plan = await planOf(recorded, result.worker, result)
      expect(plan).toMatchObject({ actions: [], problems: [], writes: [] })
    }
    expect(steps.length > 0 || name === 'machine-failed').toBe(true)
  })

  test.each(workerCases)('%s: plans to create and delete the recorded classes', async name => {
    const recorded = recordedWorker(name)
    for (const [index, { result, patch, before }] of recorded.steps.entries()) {
      const former = recorded.steps[index - 1]?.result
      if (!result || !former?.worker || before !== undefined || patch === undefined) continue
      const plan = await planOf(recorded, merged(former.worker, patch), former)
      const written = (verb: string) =>
        plan.writes.flatMap(write =>
          write.verb === verb && write.resource === 'machineclasses' ? [write.name] : [],
        )
      const deleted = written('delete')
      const left = former.machineClasses.map(({ metadata }) => metadata.name)
      expect([...left.filter(one => !deleted.includes(one)), ...written('create')].toSorted()).toEqual(
        result.machineClasses.map(({ metadata }) => metadata.name).toSorted(),
      )
    }
  })
})
