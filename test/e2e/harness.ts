import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type FoundFunction, findFunctions } from '../../functions/find-functions.ts'
import type { Aws, CallRecord } from '../../sandbox/providers/aws/simulator/aws.ts'
import {
  addHostedZone,
  createAws,
  hostedZones,
  type SimulatedAws,
  simulatedAws,
} from '../../sandbox/providers/aws/simulator/aws.ts'
import {
  type FunctionProcess,
  functionProcesses,
  type Seed,
  type SeedEvent,
  type SeedFunction,
  type SeedOptions,
  startSeed,
} from '../../sandbox/seed/seed.ts'
import { parseTimestamp, systemClock } from '../../shared/clock/clock.ts'
import { annotations } from '../../shared/contract/constants.ts'
import { kinds } from '../../shared/contract/kinds.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { dueWork } from '../../shared/lifecycle/lifecycle.ts'
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

export const zoneId = 'Z0ROSE000000000000000'
const { resource } = kinds.DNSRecord

/** A DNSRecord in the API server. */
export interface LiveRecord extends KubernetesObject {
  readonly spec: Readonly<Record<string, unknown>>
  readonly status?: {
    readonly lastOperation?: {
      readonly type: string
      readonly state: string
      readonly progress: number
      readonly description: string
      readonly lastUpdateTime: string
    }
    readonly lastError?: {
      readonly description: string
      readonly codes?: readonly string[]
    } | null
    readonly observedGeneration?: number
    readonly zone?: string
    readonly [field: string]: unknown
  }
}

/** The clouds of a test seed. */
type Clouds = { readonly aws: SimulatedAws }

export interface TestSeedOptions extends Partial<Omit<SeedOptions<Clouds>, 'observe' | 'clouds'>> {
  /** An AWS that several seeds share. Default: a new one. */
  readonly aws?: Aws
  readonly secret?: SecretData
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

/** The longest wait of a test in real time, in milliseconds. */
const patience = 120_000

export const newAws = (options: Parameters<typeof createAws>[0] = {}): Aws => {
  const aws = createAws(options)
  addHostedZone(aws.account(), { name: 'example.com', id: zoneId })
  return aws
}

/** Starts a seed with the namespace, the Cluster and the Secret of a shoot. */
export const startTestSeed = async (options: TestSeedOptions = {}): Promise<TestSeed> => {
  const { secret = accessKey, withoutZone = false, processes: env, clock = systemClock, ...rest } = options
  const aws = options.aws ?? (withoutZone ? createAws({ clock }) : newAws({ clock }))
  const observed: SeedEvent[] = []
  const lines: string[] = []
  const processes: FunctionProcess[] = []
  const objects = new Map<string, LiveRecord>()
  const checks = new Set<() => void>()
  const folder = await mkdtemp(join(tmpdir(), 'trellis-e2e-'))
  const kubeconfigFile = join(folder, 'kubeconfig')

  const observe = (event: SeedEvent) => {
    observed.push(event)
    if (event.part === 'object' && event.resource === 'dnsrecords.extensions.gardener.cloud') {
      const { name } = event.object.metadata
      if (event.deleted) objects.delete(name)
      else objects.set(name, event.object as LiveRecord)
    }
    for (const find of checks) find()
  }

  const seed = await startSeed<Clouds>({
    functions: await findFunctions(),
    functionSettings: { clientQps: 1_000, clientBurst: 1_000 },
    ...rest,
    clock,
    clouds: { aws: simulatedAws(aws) },
    observe,
    ...(env && {
      startFunction: ({ cloudEnvironment }) => {
        return async (fn: SeedFunction) => {
          const started = await functionProcesses({
            kubeconfig: kubeconfigFile,
            env: {
              TRELLIS_CLIENT_QPS: '1000',
              TRELLIS_CLIENT_BURST: '1000',
              ...cloudEnvironment(fn),
              ...env,
            },
            onLine: line => lines.push(line),
          })(fn)
          processes.push(started)
          return started
        }
      },
    }),
  })
  await writeFile(kubeconfigFile, seed.kubeconfig)
  for (const [type, object] of shootObjects(secret)) await seed.kubernetes.create(type, object)
  seed.server.requests.clear()

  const until = <T>(what: string, find: () => T | undefined, patienceMs = patience): Promise<T> =>
    new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(timer)
        clearInterval(again)
        checks.delete(check)
      }
      const check = () => {
        const found = find()
        if (found === undefined) return
        end()
        resolve(found)
      }
      const timer = setTimeout(() => {
        end()
        reject(
          new Error(
            `waiting ${patienceMs} ms for ${what}, in vain; what there is, and the last that happened:\n${story(objects.values(), observed)}`,
          ),
        )
      }, patienceMs)
      const again = setInterval(check, 20)
      checks.add(check)
      check()
    })

  const key = (name: string) => ({ name, namespace })
  const timestamp = () => new Date(clock.now()).toISOString().replace('Z', '000001Z')

  return {
    ...seed,
    aws,
    awsUrl: seed.cloudUrls.aws,
    observed,
    lines,
    processes,
    kubeconfigFile,
    live: name => objects.get(name),
    until,
    untilReady: name =>
      until(`${name} to be ready`, () => {
        const object = objects.get(name)
        const settled = object !== undefined && dueWork('DNSRecord', object, clock.now()).kind === 'none'
        return settled && isReady(object) ? object : undefined
      }),
    untilError: name =>
      until(`${name} to fail`, () => {
        const object = objects.get(name)
        return object?.status?.lastOperation?.state === 'Error' && isWaiting(object) ? object : undefined
      }),
    untilGone: async name => {
      await until(`${name} to be gone`, () => (objects.has(name) ? undefined : true))
    },
    create: async (name, spec, extra) =>
      (await seed.kubernetes.create(resource, recordOf(name, timestamp(), spec, extra))) as LiveRecord,
    createSecret: async (name, data) => {
      await seed.kubernetes.create(secrets, secretOf(data, name))
    },
    ask: async (name, operation, spec) => {
      const { secret: ref, ...changed } = spec ?? {}
      return (await seed.kubernetes.patch(resource, key(name), {
        metadata: {
          annotations: { [annotations.operation]: operation, [annotations.timestamp]: timestamp() },
        },
        spec: { ...changed, ...(ref === undefined ? {} : { secretRef: { name: ref, namespace } }) },
      })) as LiveRecord
    },
    remove: async name => {
      await seed.kubernetes.patch(resource, key(name), {
        metadata: {
          annotations: { [annotations.deletionConfirmation]: 'true', [annotations.timestamp]: timestamp() },
        },
      })
      await seed.kubernetes.delete(resource, key(name))
    },
    records: () => recordsOf(aws),
    actions: () => aws.calls.all().map(call => call.action),
    changes: () => changesOf(aws),
    close: async () => {
      await seed.close()
      await rm(folder, { recursive: true })
    },
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

/** Returns true if gardenlet considers the object ready (docs/contract/lifecycle.md#when-an-object-is-ready). */
export const isReady = ({ metadata, status }: LiveRecord): boolean => {
  const { lastOperation } = status ?? {}
  const asked = parseTimestamp(metadata.annotations?.[annotations.timestamp])
  const updated = parseTimestamp(lastOperation?.lastUpdateTime)
  return (
    !status?.lastError &&
    status?.observedGeneration === metadata.generation &&
    metadata.annotations?.[annotations.operation] === undefined &&
    lastOperation?.state === 'Succeeded' &&
    updated !== undefined &&
    (asked === undefined || Math.floor(asked / 1000) * 1000 <= updated)
  )
}

/** Returns true if its last step has ended and recorded the time of the next one. */
export const isWaiting = ({ metadata }: LiveRecord): boolean =>
  metadata.annotations?.[annotations.step]?.includes('"waiting"') ?? false

/** Returns the state of the records and the last events, for the message of a failed wait. */
const story = (objects: Iterable<LiveRecord>, observed: readonly SeedEvent[]): string =>
  [
    ...[...objects].map(({ metadata: { name, annotations: notes, finalizers, deletionTimestamp }, status }) =>
      JSON.stringify({ name, notes, finalizers, deletionTimestamp, status }),
    ),
    ...observed
      .slice(-20)
      .map(event =>
        event.part === 'object'
          ? `${event.resource} ${event.object.metadata.name} ${event.object.metadata.resourceVersion}`
          : JSON.stringify(event, (name, value) => (name === 'body' || name === 'data' ? undefined : value)),
      ),
  ]
    .map(line => line.slice(0, 1_000))
    .join('\n')
