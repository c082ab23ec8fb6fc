import { createAws, isRead } from '../../../sandbox/providers/aws/simulator/aws.ts'
import { virtualClock } from '../../../shared/clock/clock.ts'
import { functionSeed } from '../../infrastructure/function-seed.ts'
import { type ShapeName, shapes } from '../../infrastructure/shapes.ts'

/** The cost of an operation on an infrastructure, by the clock of AWS. */
export interface Cost {
  readonly reads: number
  readonly writes: number
  /** From the request to its success, in ms, including all waits. */
  readonly tookMs: number
  /** The duration of the longest step, in ms. */
  readonly longestStepMs: number
}

export interface Life {
  readonly create: Cost
  /** The cost of a reconcile when nothing has changed. */
  readonly idle: Cost
  readonly remove: Cost
}

/**
 * Runs the life of one infrastructure through the function and the lifecycle, in an AWS with realistic durations. Each
 * call takes `latencyMs`.
 */
export const lifeOf = async (shape: ShapeName, zones: number, latencyMs = 0): Promise<Life> => {
  const clock = virtualClock(Date.parse('2026-11-21T00:00:00Z'))
  const real = { durations: { scale: 1 } }
  const aws = createAws({ clock, ec2: real, iam: real, efs: real, elb: real })
  const { given, parts, cluster } = { given: undefined, cluster: undefined, ...shapes[shape](zones) }
  const made = (await given?.(aws.requestHandler)) ?? new Map<string, string>()
  const handle: typeof aws.requestHandler.handle = async (...request) => {
    if (latencyMs > 0) await seed.clock.sleep(latencyMs)
    const answer = await aws.requestHandler.handle(...request)
    // The SDK would set its clock by this header and retry refused calls.
    delete answer.response.headers.date
    return answer
  }
  const requestHandler = { ...aws.requestHandler, handle }
  const seed = await functionSeed({
    aws: { ...aws, requestHandler },
    clock,
    parts: parts(made),
    ...(cluster && { cluster }),
  })

  const cost = async (ask: () => Promise<unknown>, isDone: (state: string | undefined) => boolean) => {
    aws.calls.clear()
    await ask()
    const began = clock.now()
    let longestStepMs = 0
    for (;;) {
      // Time passes between the steps, not during them.
      const due = await seed.nextDueMs()
      if (due === undefined) break
      await clock.advance(due)
      const start = clock.now()
      await seed.next()
      longestStepMs = Math.max(longestStepMs, clock.now() - start)
    }
    const { state, description } = (await seed.live())?.status?.lastOperation ?? {}
    if (!isDone(state)) throw new Error(`${shape} with ${zones} zones is ${state}: ${description}`)
    const reads = aws.calls.all().filter(isRead).length
    return { reads, writes: aws.calls.all().length - reads, tookMs: clock.now() - began, longestStepMs }
  }
  const succeeded = (state: string | undefined) => state === 'Succeeded'
  return {
    create: await cost(() => seed.create(), succeeded),
    idle: await cost(() => seed.ask('reconcile'), succeeded),
    remove: await cost(seed.remove, state => state === undefined),
  }
}
