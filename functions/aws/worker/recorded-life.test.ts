import { describe, expect, test } from 'vitest'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { workerCases } from '../../../test/beside/beside.ts'
import { type RecordedStep, type RecordedWrite, recordedWorker } from '../../../test/recorded/workers.ts'
import { recordedLife } from './testing/recorded-life.ts'

type Json = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Fields that differ between servers or only lock a patch. */
const volatile = new Set(['uid', 'resourceVersion', 'creationTimestamp', 'managedFields', 'generation'])
const stable = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(stable)
  if (!isObject(value)) return value
  const fields = Object.entries(value)
    .filter(([name]) => !volatile.has(name))
    .map(([name, field]) => [name, stable(field)] as const)
    .filter(([name, field]) => !(name === 'metadata' && isObject(field) && Object.keys(field).length === 0))
  return Object.fromEntries(fields)
}

/** The status writes of a Worker that the flow makes. Its lifecycle makes most others. */
const ofWorker = new Set([
  'providerStatus',
  'machineDeployments',
  'machineDeploymentsLastUpdateTime',
  'inPlaceUpdates',
])

const flowWrites = (writes: readonly RecordedWrite[]): readonly RecordedWrite[] => {
  const kept = writes.flatMap((write): readonly RecordedWrite[] => {
    if (write.resource === 'workers') return []
    if (write.resource === 'workers/status') {
      const status = isObject(write.body?.status) ? write.body.status : {}
      const fields = Object.entries(status).filter(([name]) => ofWorker.has(name))
      if (fields.length === 0) return []
      const body = Object.fromEntries(
        fields.map(([name, value]) => [name, name.endsWith('Time') ? '<time>' : value]),
      )
      return [{ ...write, body }]
    }
    const isRestored = write.resource === 'machinesets' || write.resource === 'machines'
    const whole = stable(write.body)
    const body = (isRestored ? withoutGoZeros(whole) : whole) as Json | undefined
    if (body !== undefined && Object.keys(body).length === 0) return []
    const { status: _, ...made } = body ?? {}
    return [{ ...write, ...(body && { body: made }) }]
  })
  return inOrder(kept)
}

/** Removes the empty structs that Go writes into a restored machine. */
const withoutGoZeros = (value: unknown): unknown => {
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, field]) => !isGoZero(name, field))
      .map(([name, field]) => [name, withoutGoZeros(field)]),
  )
}
const isGoZero = (name: string, field: unknown): boolean =>
  (name === 'machineClass' && JSON.stringify(field) === '{}') ||
  (name === 'nodeTemplate' && JSON.stringify(field) === '{"spec":{}}')

/** Sorts writes of the same kind, because their order is arbitrary. */
const inOrder = (writes: readonly RecordedWrite[]): readonly RecordedWrite[] => {
  const runs: RecordedWrite[][] = []
  for (const write of writes) {
    const run = runs.at(-1)
    if (run?.[0]?.resource === write.resource && run[0].verb === write.verb) run.push(write)
    else runs.push([write])
  }
  return runs.flatMap(run => run.toSorted((one, other) => ((one.name ?? '') < (other.name ?? '') ? -1 : 1)))
}

const objectsOf = (objects: readonly KubernetesObject[]) =>
  objects
    .map(object => {
      const { status: _, apiVersion: __, kind: ___, ...rest } = stable(object) as Json
      const { finalizers: ____, ...metadata } = rest.metadata as Json
      return { ...rest, metadata }
    })
    .toSorted((one, other) => (String(one.metadata.name) < String(other.metadata.name) ? -1 : 1))

/** The Go extension deletes collections. Here, each listed object is deleted by its uid. */
const singly = (
  writes: readonly RecordedWrite[],
  before: RecordedStep['result'],
): readonly RecordedWrite[] => {
  const present: Readonly<Record<string, readonly KubernetesObject[] | undefined>> = {
    machinedeployments: before?.machineDeployments,
    machineclasses: before?.machineClasses,
    secrets: before?.machineClassSecrets,
  }
  return writes.flatMap(write =>
    write.verb === 'deletecollection'
      ? (present[write.resource] ?? []).map(({ metadata: { name } }) => ({
          verb: 'delete' as const,
          resource: write.resource,
          name,
        }))
      : [write],
  )
}

/** Returns the machines in the error, which the imitation let fail. */
const failedIn = (description = '') => {
  const [, list = ''] = / occurred: \[(.*)\]$/.exec(description) ?? []
  return list === ''
    ? []
    : list.split(/, (?=")/).map(entry => {
        const [, name = '', text = ''] = /^"([^"]+)": (.*)$/.exec(entry) ?? []
        return { name, text }
      })
}

describe('a recorded life of a Worker', () => {
  test.each(workerCases)('%s', async name => {
    const recording = recordedWorker(name)
    const life = await recordedLife(recording)
    let before: RecordedStep['result']
    for (const step of recording.steps) {
      const { description, codes } = step.lastOperations.at(-1)?.lastError ?? {}
      const outcome = await life.play(step, failedIn(description))
      expect(flowWrites(outcome.writes), step.action).toEqual(flowWrites(singly(step.writes, before)))
      before = step.result
      if (step.result === undefined) continue
      for (const kind of ['machineClasses', 'machineDeployments', 'machineClassSecrets'] as const)
        expect(objectsOf(outcome[kind]), `${step.action}: ${kind}`).toEqual(objectsOf(step.result[kind]))
      const { worker } = step.result
      if (worker === null) expect(outcome.worker).toBeUndefined()
      expect(outcome.worker?.status?.providerStatus).toEqual(worker?.status?.providerStatus)
      expect(outcome.worker?.status?.machineDeployments).toEqual(worker?.status?.machineDeployments)
      expect(outcome.worker?.status?.inPlaceUpdates).toEqual(worker?.status?.inPlaceUpdates)
      expect(outcome.worker?.status?.lastError?.description).toEqual(description)
      expect(outcome.worker?.status?.lastError?.codes).toEqual(codes)
      expect(outcome.controllerReplicas).toBe(step.machineControllerManagerReplicas)
    }
  })
})
