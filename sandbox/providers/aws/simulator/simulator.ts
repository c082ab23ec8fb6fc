import { randomBytes } from 'node:crypto'
import { type Clock, systemClock } from '../../../../shared/clock/clock.ts'
import { type AccountStore, createAccountStore } from './accounts/account.ts'
import { checkReadable } from './accounts/check-readable.ts'
import { createKeyRing } from './accounts/key-ring.ts'
import { readSnapshot } from './accounts/snapshot.ts'
import { createAdmin } from './admin/admin.ts'
import type { Account, Aws } from './aws-interface.ts'
import { createCallLog } from './calls/call-log.ts'
import { createNotBuiltList } from './calls/not-built-list.ts'
import { ec2Rates } from './ec2/service.ts'
import { loadBalancingRates } from './elb/load-balancing.ts'
import { createFaultList } from './faults/fault-list.ts'
import type { Rates } from './faults/rates.ts'
import { createThrottle } from './faults/throttle.ts'
import { createEndpoints } from './lag/endpoints.ts'
import type { LagOptions } from './lag/lag-options.ts'
import { createRowHistory } from './lag/row-history.ts'
import type { AwsListOptions } from './lists/list-options.ts'
import { createLists } from './lists/lists.ts'
import { movableClock } from './movable-clock.ts'
import { createAnswer } from './serve/answer.ts'
import { listenHttp } from './serve/http.ts'
import { inProcessHandler } from './serve/in-process.ts'
import type { Call, Principal, SessionCredentials } from './service.ts'
import { createServices, type ServiceSettings } from './services.ts'

/** Settings of a simulated AWS. */
export interface AwsOptions extends ServiceSettings, AwsListOptions {
  /** Default: the real time. */
  readonly clock?: Clock
  /** The account of callers with an unregistered access key; 12 digits. */
  readonly defaultAccount?: string
  /** Accepts unregistered access keys, for the default account. Default: true. */
  readonly anyCredentials?: boolean
  /** Request rates by action. Default: none. `accountRates` are those that AWS documents. */
  readonly rates?: Rates
  /** Default: all calls see each write at once. */
  readonly lag?: LagOptions
  /** Maximum number of calls in the log, which retains the newest. Default: 10,000. */
  readonly keptCalls?: number
  /**
   * Returns the given number of bytes for ids and credentials. Default: random. The same bytes produce the same ids in
   * the same order.
   */
  readonly bytes?: (count: number) => Iterable<number>
}

/**
 * Route 53 limits API requests to five per second for each account ("Quotas", Developer Guide). EC2 has a limit for
 * each action in each region, ELB one for all read actions.
 */
export const accountRates: Rates = {
  'route53:*': { perSecond: 5, burst: 5 },
  ...ec2Rates,
  ...loadBalancingRates,
}

const upperCaseAndDigits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'

/** Evenly distributed if the alphabet has at most 256 letters. */
const idsFrom =
  (bytes: NonNullable<AwsOptions['bytes']>): Call<object>['newId'] =>
  (length, alphabet = upperCaseAndDigits) =>
    Array.from(bytes(length * 2))
      .filter(byte => byte < 256 - (256 % alphabet.length))
      .slice(0, length)
      .map(byte => alphabet.charAt(byte % alphabet.length))
      .join('')
      .padEnd(length, alphabet.charAt(0))

const base64 = (bytes: Iterable<number>): string => Buffer.from([...bytes]).toString('base64')

const userOf = (accountId: string, user: string, userId: string): Principal => ({
  accountId,
  arn: `arn:aws:iam::${accountId}:user/${user}`,
  userId,
})

/**
 * Creates a simulated AWS. All state is in the returned object; any number of them can run side by side.
 *
 * @example
 * const simulated = createAws({ clock })
 * const fnSeed = createSteppedSeed({ definition, clock, connection: { requestHandler: simulated.requestHandler } })
 */
export const createAws = (options: AwsOptions = {}): Aws => {
  const clock = movableClock(options.clock ?? systemClock)
  const defaultAccount = options.defaultAccount ?? '123456789012'
  const keys = createKeyRing()
  const stores = new Map<string, AccountStore>()
  const calls = createCallLog(options.keptCalls)
  const faults = createFaultList(clock)
  const notBuilt = createNotBuiltList()
  const services = createServices(options)
  const bytes = options.bytes ?? randomBytes
  const newId = idsFrom(bytes)

  const store = (id: string): AccountStore => {
    const known = stores.get(id)
    if (known) return known
    const fresh = createAccountStore(id)
    stores.set(id, fresh)
    return fresh
  }

  const newSession = (principal: Principal, expires: number): SessionCredentials => {
    const session = {
      accessKeyId: `ASIA${newId(16, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567')}`,
      secretAccessKey: base64(bytes(30)),
      sessionToken: base64(bytes(120)),
    }
    keys.add({ ...session, principal, expires, allow: ['*'] })
    return session
  }

  const answer = createAnswer({
    clock,
    services,
    authentication: {
      keys,
      stranger:
        options.anyCredentials === false
          ? undefined
          : userOf(defaultAccount, 'trellis', 'AIDATRELLIS0000000000'),
    },
    account: store,
    accounts: () => [...stores.values()],
    calls,
    notBuilt,
    faults,
    throttle: createThrottle(clock, options.rates ?? {}),
    lists: createLists(options),
    endpoints: createEndpoints(options.lag, options.pages !== undefined),
    rowHistory: createRowHistory(),
    newId,
    newSession,
  })

  const account = (id = defaultAccount): Account => {
    const { state, snapshot, present, restore } = store(id)
    return {
      id,
      state,
      snapshot,
      present,
      restore,
      register: ({ user = 'trellis', allow = ['*'], accessKeyId, secretAccessKey }) =>
        keys.add({
          accessKeyId,
          secretAccessKey,
          allow,
          principal: userOf(id, user, `AIDA${newId(17)}`),
        }),
      revoke: keys.remove,
    }
  }

  const aws: Aws = {
    requestHandler: inProcessHandler(answer),
    listen: httpOptions => listenHttp(answer, createAdmin(aws, services), httpOptions),
    account,
    accounts: () => [...stores.keys()],
    readSnapshot: value => {
      const read = readSnapshot(services, value)
      checkReadable(services, read, clock)
      return read
    },
    calls,
    faults,
    notBuilt,
    clock,
  }
  return aws
}
