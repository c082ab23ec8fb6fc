import { StandardRetryStrategy } from '@smithy/core/retry'
import type { VirtualClock } from '../../../../shared/clock/clock.ts'
import {
  type Graph,
  type Outcomes,
  planGraph,
  type RetainedThing,
  reconcileGraph,
  type State,
} from '../../../engine/engine.ts'
import { clientSettings } from '../../account/client/client.ts'
import type { AwsRequestHandler } from '../../account/client/request-handler.ts'
import type { AwsCloud } from '../cloud.ts'
import { sdkCloud } from '../cloud.ts'
import type { DesiredInfrastructure } from '../desired-infrastructure.ts'
import { errorKindOf } from '../with-error-codes.ts'

/** Returns the desired infrastructure of a shoot with one zone. `parts` overrides its fields. */
export const desiredOf = (parts: Partial<DesiredInfrastructure> = {}): DesiredInfrastructure => ({
  clusterName: 'shoot--foo--bar',
  uid: 'infrastructure-uid',
  otherUids: ['shoot-uid'],
  shootUid: 'shoot-uid',
  stateless: false,
  adopt: undefined,
  region: 'eu-west-1',
  ipFamilies: ['IPv4'],
  vpc: { kind: 'managed', cidr: '10.250.0.0/16', dedicatedTenancy: false, ipv6: undefined },
  gatewayEndpoints: [],
  zones: {
    kind: 'managed',
    zones: [
      {
        name: 'eu-west-1a',
        suffix: 'z0',
        index: 0,
        workers: '10.250.0.0/19',
        internal: '10.250.112.0/22',
        public: '10.250.96.0/22',
        elasticIp: undefined,
      },
    ],
  },
  nodesSecurityGroup: undefined,
  efa: false,
  fileSystem: undefined,
  ecrAccess: true,
  sshPublicKey: undefined,
  ignoreTags: { keys: [], keyPrefixes: [] },
  ...parts,
})

export interface Converged {
  readonly state: State
  readonly outcomes: Outcomes
  /** The reasons why the steps waited, one text per step. */
  readonly waits: readonly string[]
  /** The resources that looked like ours but were retained. */
  readonly left: readonly RetainedThing[]
}

export interface Converging {
  readonly state?: State
  readonly destroy?: boolean
  /** Receives each written state. */
  readonly save?: (state: State) => void
  /** The maximum number of steps. Default: 100. */
  readonly steps?: number
}

/** Runs graphs against a (simulated) AWS on a virtual clock. `attempts`: those of the SDK for each call. */
export const convergeOver = (requestHandler: AwsRequestHandler, clock: VirtualClock, attempts = 1) => {
  const signal = new AbortController().signal
  const throwIfExpired = () => undefined
  const credentials = { accessKeyId: 'AKIATEST', secretAccessKey: 'secret' }
  // The SDK would retry errors with a different server time, to adjust its clock.
  const retryStrategy = new StandardRetryStrategy({
    maxAttempts: attempts,
    backoff: { computeNextBackoffDelay: () => 0, setDelayBase: () => {} },
  })
  const settings = clientSettings({ requestHandler, retryStrategy }, 'eu-west-1', credentials)
  const { cloud, isBusy } = watched(sdkCloud(settings, { throwIfExpired, signal, secrets: [] }))
  return {
    cloud,
    /** Runs steps until nothing remains to be done. */
    converge: async (graph: Graph<AwsCloud>, options: Converging = {}): Promise<Converged> => {
      let state = options.state ?? {}
      const waits: string[] = []
      for (let step = 0; step < (options.steps ?? 100); step++) {
        const running = reconcileGraph({
          graph,
          cloud,
          state,
          save: async next => {
            state = next
            options.save?.(next)
          },
          uid: 'infrastructure-uid',
          clock,
          signal,
          throwIfExpired,
          errorKindOf,
          ...(options.destroy && { destroy: true }),
          resumed: step > 0,
        })
        const outcome = await whileTimePasses(running, clock, isBusy)
        if (outcome.kind === 'converged') {
          return { state, outcomes: outcome.outcomes, waits, left: outcome.left }
        }
        waits.push(outcome.description)
        await clock.advance(outcome.afterMs)
      }
      throw new Error(`still not converged: ${waits.at(-1)}`)
    },
    plan: (graph: Graph<AwsCloud>, state: State = {}, destroy = false) =>
      planGraph({ graph, cloud, state, clock, signal, destroy }),
  }
}

/** A cloud, and a function that returns true while one of its calls is in flight. */
const watched = (cloud: AwsCloud): { readonly cloud: AwsCloud; readonly isBusy: () => boolean } => {
  let open = 0
  const counting = <Client extends { send(...args: never[]): unknown }>(client: Client): Client => {
    const send = async (...args: never[]) => {
      open++
      try {
        return await client.send(...args)
      } finally {
        open--
      }
    }
    // The same function serves every overload.
    return { send } as unknown as Client
  }
  const { region, ec2, iam, efs, elb, elbv2 } = cloud
  return {
    cloud: {
      region,
      ec2: counting(ec2),
      iam: counting(iam),
      efs: counting(efs),
      elb: counting(elb),
      elbv2: counting(elbv2),
    },
    isBusy: () => open > 0,
  }
}

/**
 * Returns the result of work that may sleep by a virtual clock. Advances the clock from timer to timer, but not during
 * work that takes no time by that clock.
 */
const whileTimePasses = async <T>(
  running: Promise<T>,
  clock: VirtualClock,
  isBusy: () => boolean,
): Promise<T> => {
  let done = false
  const ended = () => {
    done = true
  }
  running.then(ended, ended)
  while (!done) {
    await clock.advance(0)
    const [next] = clock.pending()
    if (!done && !isBusy() && next !== undefined) await clock.advance(next - clock.now())
  }
  return running
}
