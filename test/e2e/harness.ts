import { type FoundFunction, findFunctions } from '../../functions/find-functions.ts'
import type { Aws, CallRecord } from '../../sandbox/providers/aws/simulator/aws.ts'
import { type AwsOptions, addHostedZone, hostedZones } from '../../sandbox/providers/aws/simulator/aws.ts'
import { shuffledAws } from '../../sandbox/providers/aws/simulator/testing/shuffled-aws.ts'
import type { FunctionProcess, Seed, SeedEvent, SeedOptions } from '../../sandbox/seed/seed.ts'
import { systemClock } from '../../shared/clock/clock.ts'
import { annotations } from '../../shared/contract/constants.ts'
import { kinds } from '../../shared/contract/kinds.ts'
import { isWaiting, type LiveRecord } from '../live-record.ts'
import { type Clouds, startRunningSeed } from '../running-seed.ts'
import {
  accessKey,
  namespace,
  type RecordSpec,
  recordOf,
  type SecretData,
  secretOf,
  secrets,
  shootObjects,
} from './shoot.ts'

export type { LiveRecord }

export const zoneId = 'Z0ROSE000000000000000'
const { resource } = kinds.DNSRecord

export interface TestSeedOptions extends Partial<Omit<SeedOptions<Clouds>, 'observe' | 'clouds'>> {
  /** An AWS that several seeds share. Default: a new one. */
  readonly aws?: Aws
  readonly secret?: SecretData
  /** The limit of Route 53 that the function knows. Default: unknown. */
  readonly route53PerSecond?: number
  /** True if the account has no hosted zone. */
  readonly withoutZone?: boolean
  /** Runs the functions in separate processes with this environment. */
  readonly processes?: Readonly<Record<string, string>>
}

/** A seed with one shoot, and the actions of gardenlet. */
export interface TestSeed extends Seed<Clouds> {
  readonly aws: Aws
  readonly awsUrl: string
  /** All events, oldest first. */
  readonly observed: SeedEvent[]
  /** The log lines of the function processes. */
  readonly lines: string[]
  /** The function processes, in the order of their start. */
  readonly processes: FunctionProcess[]
  /** A file with the kubeconfig. */
  readonly kubeconfigFile: string
  /** Returns the object without a request. */
  live(name: string): LiveRecord | undefined
  /** Waits until `find` returns a value. Checks after every event, and periodically. */
  until<T>(what: string, find: () => T | undefined, patienceMs?: number): Promise<T>
  /**
   * Waits until gardenlet would continue (docs/contract/lifecycle.md#when-an-object-is-ready) and no step holds the
   * object.
   */
  untilReady(name: string): Promise<LiveRecord>
  /** Waits until an attempt has failed and the next one is scheduled. */
  untilError(name: string): Promise<LiveRecord>
  untilGone(name: string): Promise<void>
  create(name: string, spec?: RecordSpec, extra?: Readonly<Record<string, string>>): Promise<LiveRecord>
  createSecret(name: string, data: SecretData): Promise<void>
  /** Requests an operation with a new timestamp. The same patch changes `spec`. */
  ask(name: string, operation: string, spec?: RecordSpec): Promise<LiveRecord>
  /** Confirms the deletion and deletes. */
  remove(name: string): Promise<void>
  /** Returns the records of the hosted zone, one per line, without SOA and NS. */
  records(): readonly string[]
  /** Returns the names of the AWS calls, oldest first. */
  actions(): readonly string[]
  /** Returns the change batches that took effect. */
  changes(): readonly CallRecord[]
}

/** Returns the function for DNSRecords. */
export const dnsRecordFunction = async (): Promise<FoundFunction> => {
  const found = (await findFunctions()).find(({ kind }) => kind === 'DNSRecord')
  if (found === undefined) throw new Error('there is no function for DNSRecords')
  return found
}

export const newAws = (options: AwsOptions = {}): Aws => {
  const aws = shuffledAws(options)
  addHostedZone(aws.account(), { name: 'example.com', id: zoneId })
  return aws
}

/** Starts a seed with the namespace, the Cluster and the Secret of a shoot. */
export const startTestSeed = async (options: TestSeedOptions = {}): Promise<TestSeed> => {
  const { secret = accessKey, withoutZone = false, processes, clock = systemClock, ...rest } = options
  const aws = options.aws ?? (withoutZone ? shuffledAws({ clock }) : newAws({ clock }))
  const running = await startRunningSeed({
    functions: await findFunctions(),
    ...rest,
    ownClock: clock,
    aws,
    processes,
  })
  const { seed, live, until } = running
  for (const [type, object] of shootObjects(secret)) await seed.kubernetes.create(type, object)
  seed.server.requests.clear()

  const key = (name: string) => ({ name, namespace })
  const timestamp = () => running.asked('')[annotations.timestamp] ?? ''

  return {
    ...seed,
    aws,
    awsUrl: seed.cloudUrls.aws,
    observed: running.observed,
    lines: running.lines,
    processes: running.processes,
    kubeconfigFile: running.kubeconfigFile,
    live: name => live('DNSRecord', name),
    until,
    untilReady: name => running.untilReady('DNSRecord', name, { mayFail: true }),
    untilError: name =>
      until(`${name} to fail`, () => {
        const object = live('DNSRecord', name)
        return object?.status?.lastOperation?.state === 'Error' && isWaiting(object) ? object : undefined
      }),
    untilGone: async name => {
      await running.untilGone('DNSRecord', name)
    },
    create: async (name, spec, extra) =>
      (await seed.kubernetes.create(resource, recordOf(name, timestamp(), spec, extra))) as LiveRecord,
    createSecret: async (name, data) => {
      await seed.kubernetes.create(secrets, secretOf(data, name))
    },
    ask: async (name, operation, spec) => {
      const { secret: ref, ...changed } = spec ?? {}
      const patched = { ...changed, ...(ref === undefined ? {} : { secretRef: { name: ref, namespace } }) }
      return (await running.ask('DNSRecord', key(name), operation, { spec: patched })) as LiveRecord
    },
    remove: name => running.remove('DNSRecord', key(name)),
    records: () => recordsOf(aws),
    actions: () => aws.calls.all().map(call => call.action),
    changes: () => changesOf(aws),
    close: running.close,
  }
}

export const recordsOf = (aws: Aws): readonly string[] =>
  hostedZones(aws.account())
    .flatMap(zone => zone.recordSets)
    .filter(({ Type }) => Type !== 'SOA' && Type !== 'NS')
    .map(({ Type, Name, TTL, ResourceRecords, AliasTarget }) =>
      [
        Type,
        Name,
        ...(AliasTarget ? ['->', AliasTarget.DNSName, AliasTarget.HostedZoneId] : []),
        ...(TTL === undefined ? [] : [TTL]),
        ...(ResourceRecords ?? []).map(record => record.Value),
      ].join(' '),
    )

export const changesOf = (aws: Aws): readonly CallRecord[] =>
  aws.calls.of('route53:ChangeResourceRecordSets').filter(call => call.outcome === 'success')
