import { isRead } from '../../../sandbox/providers/aws/simulator/aws.ts'
import { annotations } from '../../../shared/contract/constants.ts'
import { kinds } from '../../../shared/contract/kinds.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { above, atMost, type Benchmark, below, type Figure } from '../figure.ts'
import { goExtension } from '../measured-elsewhere.ts'
import { usageOf } from '../process-usage.ts'
import { reconcileMessage } from '../reconcile-message.ts'
import { startManyShoots } from './many-shoots.ts'

const many = 1_000
const warmUp = 50
const sideBySide = 8

/** Reconciles infrastructures that need no change, sequentially and in parallel, on one process of the function. */
export const manyInfrastructures: Benchmark = {
  name: 'infrastructure-many',
  run: async () => [
    ...(await measure({ count: many, zones: 1, goCpuMs: 52 })),
    ...(await measure({ count: 200, zones: 3, goCpuMs: 87 })),
  ],
}

interface Round {
  readonly count: number
  readonly zones: number
  /** CPU time of the Go extension for one infrastructure, measured elsewhere. */
  readonly goCpuMs: number
}

const measure = async ({ count, zones, goCpuMs }: Round): Promise<readonly Figure[]> => {
  const shoots = await startManyShoots(warmUp + count, zones)
  const { aws, server, infrastructures, url, pid } = shoots
  const { resource } = kinds.Infrastructure
  try {
    await sendAll(url, infrastructures.slice(0, warmUp))
    aws.calls.clear()
    server.requests.clear()
    const before = await usageOf(pid)
    const began = performance.now()
    await sendAll(url, infrastructures.slice(warmUp))
    const seconds = (performance.now() - began) / 1000
    const after = await usageOf(pid)
    const left = server.store
      .collection(`${resource.plural}.${resource.group}`)
      .list()
      .filter(({ object }) => object.metadata.annotations?.[annotations.operation] !== undefined)
    if (left.length > 0) throw new Error(`${left.length} infrastructures were not reconciled`)
    const writes = aws.calls.all().filter(call => !isRead(call)).length
    if (writes > 0) throw new Error(`${writes} writes to AWS although nothing differs`)
    const what = zones === 1 ? 'unchanged infrastructure, 1 zone' : `unchanged infrastructure, ${zones} zones`
    const circumstances = `warm bundle, ${count} objects of as many accounts, ${sideBySide} side by side, by HTTP`
    const figures: Figure[] = [
      {
        name: `${what}: requests to Kubernetes`,
        value: server.requests.count() / count,
        unit: 'requests',
        target: atMost(6),
        reference: goExtension(6),
      },
    ]
    if (before !== undefined && after !== undefined) {
      figures.push({
        name: `${what}: processor time of the function`,
        value: (after.cpuMs - before.cpuMs) / count,
        unit: 'ms CPU',
        target: atMost(50),
        reference: goExtension(goCpuMs),
        with: circumstances,
      })
    }
    if (count < many) return figures
    figures.push({
      name: `${count} unchanged infrastructures on one function process`,
      value: count / seconds,
      unit: 'events/s',
      target: above(20),
      with: circumstances,
    })
    if (after !== undefined) {
      figures.push({
        name: `highest resident memory of the function after ${count} infrastructures`,
        value: after.peakMb,
        unit: 'MB',
        target: below(250),
      })
    }
    return figures
  } finally {
    await shoots.close()
  }
}

const sendAll = async (url: string, objects: readonly KubernetesObject[]): Promise<void> => {
  let next = 0
  const worker = async () => {
    for (let object = objects[next++]; object !== undefined; object = objects[next++]) await send(url, object)
  }
  await Promise.all(Array.from({ length: sideBySide }, worker))
}

const send = async (url: string, object: KubernetesObject): Promise<void> => {
  const { headers, body } = reconcileMessage('Infrastructure', object)
  const answer = await fetch(url, { method: 'POST', headers, body: new Uint8Array(body) })
  await answer.arrayBuffer()
  if (answer.status !== 204) throw new Error(`the function answered ${answer.status}`)
}
