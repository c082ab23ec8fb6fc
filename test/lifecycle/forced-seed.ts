import { annotations } from '../../shared/contract/constants.ts'
import { kinds } from '../../shared/contract/kinds.ts'
import { eventResource, type Kubernetes } from '../../shared/kubernetes/kubernetes.ts'
import type { Actuator } from '../../shared/lifecycle/lifecycle.ts'
import type { Log } from '../../shared/log/log.ts'
import { type Harness, type HarnessOptions, harness } from './harness.ts'
import { shootNamespace } from './sample-objects.ts'

/** The error of a cloud that refuses everything. */
export const failure = new Error('reaching the cloud: no')
export const fail = async () => {
  throw failure
}
/** A call without an answer. */
export const hang = () => new Promise<never>(() => {})
export const confirmed = { annotations: { [annotations.forceDeletionConfirmation]: 'true' } }

/** Returns a seed with a DNSRecord in forced deletion, and the function's log. */
export const forced = async (actuator: Partial<Actuator>, options: HarnessOptions = {}) => {
  const lines: { readonly message: string }[] = []
  const note = (message: string, fields?: object) => void lines.push({ message, ...fields })
  const log: Log = { debug: note, info: note, warn: note, error: note }
  const seed = await harness('DNSRecord', { shoot: { metadata: confirmed }, actuator, log, ...options })
  await seed.create({ finalizers: [kinds.DNSRecord.finalizer()] })
  await seed.remove()
  return { seed, lines }
}

/** Sends each event when it is due, until the object is gone or 20 minutes have passed. Returns how long that took. */
export const untilGone = async (seed: Harness, port?: Kubernetes): Promise<number> => {
  const began = seed.clock.now()
  const limit = began + 20 * 60_000
  while (!(await seed.isGone()) && seed.clock.now() < limit) {
    // As the bridge: the length of a wait or claim by its own clock.
    if ((await seed.due())?.kind === 'later')
      await seed.clock.advance((await seed.stepAnnotation())?.durationMs ?? 0)
    let isOver = false
    const step = seed.step({ id: await seed.dueId() }, port).finally(() => {
      isOver = true
    })
    while (!isOver) await seed.clock.advance(1_000)
    await step
  }
  return seed.clock.now() - began
}

/** The Kubernetes Events in the namespace of the object. */
export const eventsOf = async (seed: Harness) =>
  (await seed.kubernetes.list(eventResource, { namespace: shootNamespace })).items as readonly {
    readonly reason?: string
    readonly type?: string
    readonly message?: string
    readonly involvedObject?: object
  }[]

/** The last status that the function wrote. */
export const lastStatus = (seed: Harness) => JSON.stringify(seed.statusWrites().at(-1))

/** Time for the writes of the last step, which the tests measure in whole seconds. */
export const marginMs = 5_000
