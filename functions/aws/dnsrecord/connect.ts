import type { Clock } from '../../../shared/clock/clock.ts'
import { RequeueAfterError } from '../../../shared/contract/errors.ts'
import type { DNSRecord } from '../../../shared/contract/schemas/dns-record.ts'
import type { StepContext } from '../../../shared/lifecycle/actuator.ts'
import type { AwsConnection } from '../../../terraform-free-infra/aws/client/client-settings.ts'
import { createAccess } from '../../../terraform-free-infra/aws/credentials/access.ts'
import {
  createRateLimiter,
  type Reservation,
  type TurnRequest,
} from '../../../terraform-free-infra/aws/dns/rate-limit.ts'
import type { Route53 } from '../../../terraform-free-infra/aws/dns/route53.ts'
import { sdkRoute53 } from '../../../terraform-free-infra/aws/dns/sdk-route53.ts'
import type { AwsError } from '../../../terraform-free-infra/aws/errors/aws-error.ts'
import { stepError } from '../../../terraform-free-infra/aws/errors/step-error.ts'
import type { DnsRecordSettings } from './settings.ts'

export interface DnsRecordDeps {
  readonly connection: AwsConnection
  readonly settings: DnsRecordSettings
  readonly clock: Clock
}

/** Route 53 with the credentials of one record, for one step. */
export interface Route53Account {
  readonly route53: Route53
  /** Waits for the rate limit; throws a `NotYetError` when the step has to come back for its turn. */
  readonly reserve: (request: Omit<TurnRequest, 'identity' | 'key'>) => Promise<Reservation>
  /**
   * Runs a call. What it throws names what was being done and holds no secret. Calls that AWS holds back come again one
   * after the other.
   */
  readonly run: <T>(
    doing: string,
    call: () => Promise<T>,
    explain?: (error: AwsError) => Error | undefined,
  ) => Promise<T>
}

/** What of a step it takes to reach Route 53. */
export type ConnectInput = Pick<
  StepContext<DNSRecord>,
  'object' | 'secret' | 'signal' | 'throwIfExpired' | 'resumed'
>

export type ConnectRoute53 = (step: ConnectInput) => Promise<Route53Account>

/**
 * Where Route 53 is called when neither the object nor the Secret names a region
 * (docs/contract/provider-aws.md#region-of-route-53).
 */
const defaultRegion = 'us-west-2'

/** Makes the `Connect` of a process: connections, sessions and rate limits outlive the steps. */
export const createConnect = ({ connection, settings, clock }: DnsRecordDeps): ConnectRoute53 => {
  const open = createAccess(connection, clock)
  const limiter = createRateLimiter(
    { qps: settings.clientQps, burst: settings.clientBurst, waitTimeoutMs: settings.waitTimeoutMs },
    clock,
  )

  return async ({ object, secret, signal, throwIfExpired, resumed = false }) => {
    const access = await open({ secret, region: object.spec.region, defaultRegion, dnsKeys: true, signal })
    const { identity, secrets } = access

    const place = { identity, key: keyOf(object) }

    return {
      route53: sdkRoute53(access.settings, throwIfExpired),
      // A step that goes on has waited for its turn, be it in the queue of a process that is gone.
      reserve: request => limiter.acquire({ waited: resumed, ...request, ...place }, signal),
      run: async (doing, call, explain) => {
        try {
          return await call()
        } catch (thrown) {
          const error = stepError(thrown, { doing, secrets, signal, ...(explain && { explain }) })
          if (!(error instanceof RequeueAfterError)) throw error
          throw new RequeueAfterError(
            error.cause,
            limiter.postpone({ ...place, calls: mostCalls }, error.delayMs),
          )
        }
      },
    }
  }
}

/** Limited calls of a step: a read and a change. */
export const mostCalls = 2

/** Another object of the same name waits for itself. */
const keyOf = ({ metadata: { uid, namespace = '', name } }: DNSRecord): string =>
  uid ?? `${namespace}/${name}`
