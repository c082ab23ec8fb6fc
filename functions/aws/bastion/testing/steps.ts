import type { VirtualClock } from '../../../../shared/clock/clock.ts'
import type { Bastion, Cluster } from '../../../../shared/contract/objects.ts'
import { type KubernetesObject, mergePatch } from '../../../../shared/kubernetes/kubernetes.ts'
import type { StepContext, StepKubernetes, StepResult } from '../../../../shared/lifecycle/lifecycle.ts'
import { noKubernetes } from '../../../../shared/lifecycle/testing/no-kubernetes.ts'
import type { AwsRequestHandler } from '../../../../terraform-free-infra/aws/account/aws.ts'
import {
  connectionOver,
  type Interference,
  notedLog,
  secretAccessKey,
  stepContext,
  untilDone,
} from '../../testing/actuator-steps.ts'
import { bastionActuator } from '../actuator.ts'
import { type BastionParts, bastionOf, clusterOf, namespace } from './objects.ts'

export { type Interference, secretAccessKey }

export interface BastionSurroundings {
  readonly cluster?: Cluster
  readonly infrastructure?: KubernetesObject
  /** Null: no Secret exists. */
  readonly secret?: Readonly<Record<string, string>> | null
  readonly waitScale?: number
}

/** A seed with one Bastion, and its steps as a process executes them. */
export const stepsOver = (
  requestHandler: AwsRequestHandler,
  clock: VirtualClock,
  parts: BastionParts = {},
  { cluster = clusterOf(), infrastructure, secret, waitScale }: BastionSurroundings = {},
) => {
  const { lines, log } = notedLog()
  const data = secret === undefined ? { accessKeyID: 'AKIAEXAMPLE', secretAccessKey } : secret
  const get: StepKubernetes['get'] = async ({ plural }, { name }) => {
    if (plural === 'infrastructures')
      return infrastructure?.metadata.name === name ? infrastructure : undefined
    if (plural !== 'secrets' || name !== 'cloudprovider' || data === null) return undefined
    return {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name, namespace },
      data: Object.fromEntries(Object.entries(data).map(([key, value]) => [key, btoa(value)])),
    }
  }
  let object = bastionOf(parts)
  let waited: StepContext['waited']
  const writeStatus = (status: object | undefined) => {
    object = mergePatch(object, { status: status ?? {} }) as Bastion
  }
  /** Records the start of a wait, as the lifecycle does. */
  const endStep = (result: StepResult | undefined) => {
    writeStatus(result?.status)
    const waitsFor = result?.kind === 'continue' ? result.waitsFor : undefined
    if (waitsFor !== waited?.for)
      waited = waitsFor === undefined ? undefined : { for: waitsFor, since: clock.now() }
  }

  /** Executes one step in a new process. Throws the errors of the step. */
  const step = async (
    operation: 'reconcile' | 'remove',
    interference: Interference = {},
    options: { readonly throwIfExpired?: () => void } = {},
  ): Promise<StepResult> => {
    const actuator = bastionActuator({
      clock,
      waitScale,
      connection: connectionOver(requestHandler, interference),
    })
    const context = stepContext({
      object,
      cluster,
      waited,
      ...(options.throwIfExpired && { throwIfExpired: options.throwIfExpired }),
      clock,
      log,
      // A step only reads.
      kubernetes: { ...noKubernetes, get },
      saveStatus: async status => {
        const call = 'patch bastions/status'
        interference.before?.(call)
        writeStatus(status)
        interference.after?.(call)
      },
    })
    const run = async () => {
      if (operation === 'remove') return actuator.remove(context)
      await actuator.check?.(context)
      await actuator.validate?.(context)
      return actuator.reconcile(context)
    }
    try {
      const result = await run()
      endStep(result)
      return result
    } catch (error) {
      endStep(undefined)
      throw error
    }
  }

  return {
    step,
    /** Repeats the step until it is done. Returns the result and the messages of the waits. */
    until: (operation: 'reconcile' | 'remove') => untilDone(clock, () => step(operation)),
    lines,
    /** Replaces the spec, as gardenlet patches it. */
    change: (next: BastionParts) => {
      const { status, ...changed } = bastionOf(next)
      object = { ...object, ...changed, ...(status && { status }) }
    },
    /** `status.state`, as the steps have written it. */
    state: () => object.status?.state,
  }
}
