import type { VirtualClock } from '../../../../shared/clock/clock.ts'
import { conditionsWith } from '../../../../shared/contract/conditions.ts'
import type { Cluster, Infrastructure } from '../../../../shared/contract/objects.ts'
import { mergePatch } from '../../../../shared/kubernetes/kubernetes.ts'
import type { Actuator, StepContext, StepResult } from '../../../../shared/lifecycle/lifecycle.ts'
import type { AwsRequestHandler } from '../../../../terraform-free-infra/aws/account/aws.ts'
import {
  connectionOver,
  type Interference,
  notedLog,
  secretAccessKey,
  stepContext,
  untilDone,
} from '../../testing/actuator-steps.ts'
import { infrastructureActuator } from '../actuator.ts'
import { clusterOf, infrastructureOf, namespace, type ObjectParts, shootUidOf } from './objects.ts'

export { type Interference, secretAccessKey }

export type ActuatorMethod = 'reconcile' | 'remove' | 'restore' | 'migrate'

export interface InfrastructureStepOptions {
  readonly cluster?: Cluster
  readonly secret?: Readonly<Record<string, string>>
  readonly resumed?: boolean
  readonly throwIfExpired?: () => void
}

/** A seed with one Infrastructure, and its steps as a process executes them. Time passes only between steps. */
export const stepsOver = (
  requestHandler: AwsRequestHandler,
  clock: VirtualClock,
  parts: ObjectParts = {},
  defaults: InfrastructureStepOptions = {},
) => {
  const stored = { object: infrastructureOf(parts) }
  const { lines, log } = notedLog()
  const saves: object[] = []

  const patchStatus = (status: object): void => {
    const { object } = stored
    // A merge patch of a status results in a valid status.
    const merged = mergePatch(object.status ?? {}, status) as NonNullable<Infrastructure['status']>
    stored.object = { ...object, status: merged }
  }

  /** Executes one step in a new process. Throws the errors of the step. */
  const step = async (
    operation: ActuatorMethod,
    interference: Interference = {},
    overrides: InfrastructureStepOptions = {},
  ): Promise<StepResult> => {
    const options = { ...defaults, ...overrides }
    const actuator = infrastructureActuator({
      clock,
      connection: connectionOver(requestHandler, interference),
    })
    const { object } = stored
    const context = stepContext<Infrastructure>({
      object,
      resumed: options.resumed ?? false,
      cluster: options.cluster ?? clusterOf({ uid: shootUidOf(object) }),
      secret: {
        name: 'cloudprovider',
        namespace,
        labels: {},
        data: options.secret ?? { accessKeyID: 'AKIAEXAMPLE', secretAccessKey },
      },
      ...(options.throwIfExpired && { throwIfExpired: options.throwIfExpired }),
      clock,
      log,
      saveStatus: async status => {
        interference.before?.('save')
        saves.push(status)
        patchStatus(status)
        interference.after?.('save')
      },
    })
    const result = await run(actuator, operation, context)
    if (result.status !== undefined) patchStatus(result.status)
    if (result.kind === 'done') {
      const conditions = conditionsWith(stored.object, result.conditions ?? {}, clock.now())
      if (conditions !== undefined) patchStatus({ conditions })
    }
    return result
  }

  /** Repeats the step until it is done. Returns the messages of the waits. */
  const until = async (
    operation: ActuatorMethod,
    options: InfrastructureStepOptions = {},
  ): Promise<readonly string[]> => {
    const { waits } = await untilDone(clock, count =>
      whileTimePasses(step(operation, {}, { resumed: count > 0, ...options }), clock),
    )
    return waits
  }

  return {
    step: (...args: Parameters<typeof step>) => whileTimePasses(step(...args), clock),
    until,
    /** All log lines, and every status that was written before a step ended. */
    lines,
    saves,
    status: () => stored.object.status ?? {},
    object: () => stored.object,
    /** Replaces the spec, as gardenlet patches it. */
    change: (next: ObjectParts) => {
      const { spec } = infrastructureOf(next)
      stored.object = { ...stored.object, spec }
    },
  }
}

/** Runs a step as the lifecycle does (docs/contract/lifecycle.md#one-attempt). */
const run = async (
  actuator: Actuator<Infrastructure>,
  operation: ActuatorMethod,
  context: StepContext<Infrastructure>,
): Promise<StepResult> => {
  switch (operation) {
    case 'remove':
      return actuator.remove(context)
    case 'migrate':
      return (await actuator.migrate?.(context)) ?? { kind: 'done' }
    case 'reconcile':
    case 'restore':
      await actuator.check?.(context)
      await actuator.validate?.(context)
      return (actuator.restore ?? actuator.reconcile)(context)
  }
}

/** Returns the result of work that waits on a virtual clock. Advances the clock from timer to timer meanwhile. */
const whileTimePasses = async <T>(running: Promise<T>, clock: VirtualClock): Promise<T> => {
  let ended = false
  const end = () => {
    ended = true
  }
  running.then(end, end)
  while (!ended) {
    await clock.advance(0)
    const [next] = clock.pending()
    if (!ended && next !== undefined) await clock.advance(next - clock.now())
  }
  return running
}
