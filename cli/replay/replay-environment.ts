import { readFile } from 'node:fs/promises'
import type { AccountSnapshot } from '../../sandbox/aws/accounts/account.ts'
import { createAws } from '../../sandbox/aws/simulator.ts'
import { createApiServer } from '../../sandbox/kubernetes/api-server.ts'
import { storeKey } from '../../sandbox/kubernetes/store/object-key.ts'
import { systemClock } from '../../shared/clock/clock.ts'
import { allCrds } from '../../shared/contract/crds/crd-of.ts'
import { kinds } from '../../shared/contract/kinds.ts'
import type { ExtensionEvent } from '../../shared/events/event.ts'
import { kubeconfigAccess } from '../../shared/kubernetes/access/kubeconfig.ts'
import { createKubernetes } from '../../shared/kubernetes/client.ts'
import type { GroupVersionResource, Kubernetes, KubernetesObject } from '../../shared/kubernetes/port.ts'
import { httpTransport } from '../../shared/kubernetes/transport/http-transport.ts'
import type { AwsConnection } from '../../terraform-free-infra/aws/aws.ts'
import { keepAliveHandler } from '../../terraform-free-infra/aws/aws.ts'
import { UsageError } from '../exit-code.ts'
import { giveZoneOf } from './account.ts'
import { createEventClock, type EventClock } from './event-clock.ts'
import { recordCalls } from './record-calls.ts'
import { objectOf, relatedObjectsOf } from './related-objects.ts'
import { renamed, renames } from './rename.ts'
import type { AwsCall } from './replayed-event.ts'
import { sameBytes } from './same-bytes.ts'

export interface ReplayEnvironmentOptions {
  /** Absent: an API server in memory. */
  readonly kubeconfig?: string
  /** Absent: a simulated AWS in memory. */
  readonly awsEndpoint?: string
  /** What the simulated AWS starts with; absent: the hosted zones that the events need. */
  readonly account?: AccountSnapshot
  /** The number of the simulated account, where none is given. */
  readonly accountId?: string
  /** What stands beside the objects of the events: their Clusters. Where they lack, they are made up. */
  readonly objects?: readonly KubernetesObject[]
}

/** Where the events of one file are played. */
export interface ReplayEnvironment {
  readonly clock: EventClock
  readonly kubernetes: Kubernetes
  readonly connection: AwsConnection
  /** Called with every call of AWS from now on. */
  readonly onCall: (listener: (call: AwsCall) => void) => void
  /** Whether AWS starts with nothing but hosted zones. */
  readonly startsEmpty: boolean
  /**
   * Puts everything in place for an event. What the simulated AWS has given another name than the object's status
   * says, it renames.
   */
  readonly prepare: (event: ExtensionEvent) => void
  /** What the simulated AWS holds; undefined when AWS is not simulated. */
  readonly account: () => AccountSnapshot | undefined
  readonly close: () => void
}

/** Sets the stage. Throws a `UsageError` for a kubeconfig that cannot be used. */
export const createReplayEnvironment = async (
  options: ReplayEnvironmentOptions,
): Promise<ReplayEnvironment> => {
  const live = options.kubeconfig !== undefined
  // In a live cluster others read the times too, so they must be the real ones.
  const simulated = options.awsEndpoint === undefined
  const clock: EventClock = live
    ? { ...systemClock, moveTo: () => {} }
    : createEventClock({ sleepRate: simulated ? 0.05 : 1 })
  let listener = (_: AwsCall): void => {}
  const cloud = options.awsEndpoint
    ? remoteAws(options.awsEndpoint, call => listener(call))
    : simulatedAws(clock, options, call => listener(call))
  const cluster = live
    ? await liveCluster(options.kubeconfig, clock)
    : memoryCluster(clock, options.objects ?? [])
  return {
    clock,
    kubernetes: cluster.kubernetes,
    connection: cloud.connection,
    startsEmpty: !live && options.awsEndpoint === undefined && options.account === undefined,
    onCall: given => {
      listener = given
    },
    prepare: event => {
      clock.moveTo(Date.parse(event.time))
      if (event.data === undefined) return
      cloud.prepare(event.data, cluster.place(event, event.data))
    },
    account: cloud.account,
    close: cluster.close,
  }
}

const memoryCluster = (clock: EventClock, beside: readonly KubernetesObject[]) => {
  const server = createApiServer({ clock, objects: allCrds() })
  // Behind the API, which would give the object a uid and a generation of its own.
  const put = (
    { group, plural }: GroupVersionResource,
    object: KubernetesObject,
  ): KubernetesObject | undefined => {
    const { namespace, name } = object.metadata
    const collection = server.store.collection(group === '' ? plural : `${plural}.${group}`)
    const before = collection.get(storeKey(namespace, name))?.object
    collection.put(storeKey(namespace, name), object)
    return before
  }
  return {
    kubernetes: createKubernetes({ transport: server.transport, clock }),
    /** Returns the object as it was. */
    place: (event: ExtensionEvent, data: KubernetesObject): KubernetesObject | undefined => {
      for (const [resource, object] of relatedObjectsOf(event, data, beside)) put(resource, object)
      const kind = Object.values(kinds).find(info => info.kind === event.kind)
      return kind && put(kind.resource, objectOf(data))
    },
    close: server.close,
  }
}

const liveCluster = async (file: string, clock: EventClock) => {
  const transport = httpTransport({ access: await accessOf(file, clock) })
  return {
    kubernetes: createKubernetes({ transport: transport.send, clock }),
    place: () => undefined,
    close: transport.close,
  }
}

const accessOf = async (file: string, clock: EventClock) => {
  try {
    await readFile(file)
  } catch (error) {
    throw new UsageError(`${file}: cannot be read (${(error as { readonly code?: string }).code})`)
  }
  try {
    return await kubeconfigAccess({ file, clock })
  } catch {
    // The reason may quote the file, which holds credentials.
    throw new UsageError(`${file}: not a usable kubeconfig`)
  }
}

const simulatedAws = (
  clock: EventClock,
  { account: given, accountId }: ReplayEnvironmentOptions,
  note: (call: AwsCall) => void,
) => {
  const id = given?.id ?? accountId
  const aws = createAws({ clock, bytes: sameBytes(), ...(id !== undefined && { defaultAccount: id }) })
  const account = aws.account()
  if (given !== undefined) account.restore(given)
  aws.calls.onCall(({ service, action, input, outcome, errorCode }) =>
    note({ service, action, input, ...(outcome !== 'success' && { error: errorCode ?? outcome }) }),
  )
  return {
    connection: { requestHandler: aws.requestHandler },
    account: account.snapshot,
    prepare: (object: KubernetesObject, before: KubernetesObject | undefined): void => {
      if (given !== undefined) return
      giveZoneOf(account, object)
      const names = renames(before?.status, object.status)
      if (names.size > 0) account.restore(renamed(account.snapshot(), names))
    },
  }
}

const remoteAws = (endpoint: string, note: (call: AwsCall) => void) => ({
  connection: { requestHandler: recordCalls(keepAliveHandler(), note), endpoint },
  account: () => undefined,
  prepare: () => {},
})
