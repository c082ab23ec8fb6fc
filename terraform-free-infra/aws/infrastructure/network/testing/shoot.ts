import { EC2Client } from '@aws-sdk/client-ec2'
import type { VirtualClock } from '../../../../../shared/clock/clock.ts'
import type { State } from '../../../../engine/engine.ts'
import type { AwsRequestHandler } from '../../../account/client/request-handler.ts'
import type { DesiredInfrastructure } from '../../desired-infrastructure.ts'
import { infrastructureGraph } from '../../graph.ts'
import { convergeOver, desiredOf } from '../../testing/converge.ts'

const isWrite = (action: string): boolean => !/^(?:Describe|Get|List)/.test(action)

/** The parts of a simulated AWS that are used here. */
interface CalledAws {
  readonly requestHandler: AwsRequestHandler
  readonly calls: {
    all(): readonly { readonly action: string }[]
    clear(): void
  }
}

/** Runs steps on the infrastructure of one shoot in a simulated account. `attempts`: those of the SDK for each call. */
export const shootIn = (aws: CalledAws, clock: VirtualClock, attempts = 1) => {
  const { converge, plan } = convergeOver(aws.requestHandler, clock, attempts)
  const stored: { state: State } = { state: {} }
  const remember = async (running: ReturnType<typeof converge>) => {
    const { state, outcomes, waits, left } = await running
    stored.state = state
    return { state, outcomes, waits, left }
  }
  return {
    /** A client for changes by another user. */
    ec2: new EC2Client({
      region: 'eu-west-1',
      credentials: { accessKeyId: 'AKIAOPERATOR', secretAccessKey: 'operator' },
      requestHandler: aws.requestHandler,
    }),
    stored,
    /** Runs steps until the desired state is reached. */
    reconcile: (desired: Partial<DesiredInfrastructure> = {}) =>
      remember(converge(infrastructureGraph(desiredOf(desired)), { state: stored.state })),
    /** Runs steps until they end or fail. Returns true if they failed. */
    attempt: async (desired: Partial<DesiredInfrastructure> = {}): Promise<boolean> => {
      const save = (state: State) => {
        stored.state = state
      }
      try {
        await converge(infrastructureGraph(desiredOf(desired)), { state: stored.state, save })
        return false
      } catch {
        return true
      }
    },
    remove: (desired: Partial<DesiredInfrastructure> = {}) =>
      remember(
        converge(infrastructureGraph(desiredOf(desired), { destroying: true }), {
          state: stored.state,
          destroy: true,
        }),
      ),
    /** Returns the sentences of the planned actions. */
    planned: async (desired: Partial<DesiredInfrastructure> = {}): Promise<readonly string[]> => {
      const { actions } = await plan(infrastructureGraph(desiredOf(desired)), stored.state)
      return actions.map(({ sentence }) => sentence)
    },
    /** Returns the planned changes of attributes. */
    changes: async (desired: Partial<DesiredInfrastructure> = {}) => {
      const { actions } = await plan(infrastructureGraph(desiredOf(desired)), stored.state)
      return actions.flatMap(({ changes }) => changes)
    },
    /** Returns the actions called since the last time that may have changed something. */
    writes: (): readonly string[] => {
      const actions = aws.calls.all().map(({ action }) => action)
      aws.calls.clear()
      return actions.filter(isWrite)
    },
    reads: (): number => aws.calls.all().filter(({ action }) => !isWrite(action)).length,
  }
}
