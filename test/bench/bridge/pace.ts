import { setTimeout as sleep } from 'node:timers/promises'
import type { GroupVersionResource, Kubernetes } from '../../../shared/kubernetes/kubernetes.ts'

/** The longest wait in a measurement, in ms. */
const patienceMs = 60_000

/** Polls every 20 ms until `holds` returns true; rejects after a minute. */
export const until = async (what: string, holds: () => Promise<boolean> | boolean): Promise<void> => {
  const limit = performance.now() + patienceMs
  while (!(await holds())) {
    if (performance.now() > limit) throw new Error(`waiting for ${what}: too long`)
    await sleep(20)
  }
}

/** Runs the work on each item, on `width` items at a time. */
export const inParallel = async <T>(
  items: readonly T[],
  width: number,
  work: (item: T) => Promise<unknown>,
): Promise<void> => {
  // All workers share one iterator.
  const rest = items.values()
  const worker = async () => {
    for (const item of rest) await work(item)
  }
  await Promise.all(Array.from({ length: width }, worker))
}

/** Starts the work on `perSecond` items a second, evenly, without waiting for earlier ones to end. */
export const atRate = async <T>(
  items: readonly T[],
  perSecond: number,
  work: (item: T) => Promise<unknown>,
): Promise<void> => {
  const began = performance.now()
  const running: Promise<unknown>[] = []
  for (const [index, item] of items.entries()) {
    const ahead = began + (index * 1000) / perSecond - performance.now()
    if (ahead > 1) await sleep(ahead)
    running.push(work(item))
  }
  await Promise.all(running)
}

/** Waits until an API server serves a new resource. */
export const untilServed = (kubernetes: Kubernetes, resource: GroupVersionResource): Promise<void> =>
  until(`kube-apiserver to serve ${resource.plural}`, () =>
    kubernetes.list(resource, { limit: 1 }).then(
      () => true,
      () => false,
    ),
  )
