import type { Clock } from '../../../shared/clock/clock.ts'
import { type DeclaredHealth, monitoredKinds } from '../../../shared/contract/health.ts'
import type { KindName } from '../../../shared/contract/kinds.ts'
import { recordOf, stringOf } from '../../../shared/decode/record-of.ts'
import { eventTypePrefix } from '../../../shared/events/events.ts'
import { followedHealth } from '../../../shared/health/schedule/health-checks.ts'
import {
  type GroupVersionResource,
  type Kubernetes,
  KubernetesError,
  type KubernetesObject,
} from '../../../shared/kubernetes/kubernetes.ts'
import type { Log } from '../../../shared/log/log.ts'
import { pluralTitle } from '../../../shared/text/plural-title.ts'
import { createWatch, idOf, type Observer, type Selection } from '../../core/core.ts'
import type { BridgeObserver } from '../bridge-event.ts'
import type { DeliveryPath } from '../delivery-path.ts'
import { createAbsences, createFollowedObjects } from './followed-objects.ts'
import { passes } from './passes.ts'

export interface KnativePathOptions {
  readonly kubernetes: Pick<Kubernetes, 'list' | 'watch'>
  readonly clock: Clock
  readonly log: Log
  readonly listQueue: Parameters<typeof createWatch>[0]['listQueue']
  /** The namespace of the bridge, its Broker, its Triggers and its functions. */
  readonly namespace: string
  /** The address to which the bridge sends. */
  readonly sink: string
  readonly selection: Pick<Selection, 'kinds' | 'served'>
  /** The health of functions that differs from that of their kind. Default: none. */
  readonly declaredHealth?: readonly DeclaredHealth[]
}

const knative = (part: string, plural: string): GroupVersionResource => ({
  group: `${part}.knative.dev`,
  version: 'v1',
  plural,
  namespaced: true,
})
export const knativeResources = {
  brokers: knative('eventing', 'brokers'),
  triggers: knative('eventing', 'triggers'),
  services: knative('serving', 'services'),
} as const

/**
 * The way of events over Knative: the Broker with the sink's address, the Triggers that select the events of a function
 * with health checks, and their Services. If the bridge cannot watch them, or if the sink is another one, it reports
 * nothing and says so once.
 */
export const createKnativePath = (
  options: KnativePathOptions,
): Required<DeliveryPath & Pick<BridgeObserver, 'objectSeen' | 'objectDeleted' | 'watches' | 'run'>> => {
  const { clock, log, namespace, sink } = options
  const brokers = createFollowedObjects(clock, 'Broker', addressesOf)
  const triggers = createFollowedObjects(clock, 'Trigger', routeOf)
  // While a new revision starts or fails, the previous one serves.
  const services = createFollowedObjects(
    clock,
    'Knative Service',
    () => undefined,
    conditions => conditions.get('RoutesReady')?.status === 'True',
  )
  const isUnrouted = createAbsences(clock)
  const { selection, declaredHealth = [] } = options
  const followed = followedHealth({ selection, monitored: monitoredKinds, declared: declaredHealth })
  let broker: string | undefined
  let isNoted = false

  const relyOnAnswers = (why: string) => {
    if (isNoted) return
    isNoted = true
    log.info('heartbeats rely on answers to health checks alone', { why })
  }

  const watch = createWatch({ ...options, log }, () => {})
  const follow = (
    resource: GroupVersionResource,
    { upsert, deleted }: Pick<typeof services, 'upsert' | 'deleted'>,
    synced = () => {},
  ) =>
    watch(resource, {
      namespace,
      upsert,
      deleted,
      synced,
      restarted: ({ reason, error }) => {
        const name = `${resource.plural}.${resource.group}`
        if (reason === 'absent') relyOnAnswers(`the cluster does not define ${name}`)
        else if (error instanceof KubernetesError && error.status === 403)
          relyOnAnswers(`cannot watch ${name} in namespace ${namespace}: ${error.message}`)
      },
    })
  const ofBrokers = follow(
    knativeResources.brokers,
    {
      upsert: object => {
        brokers.upsert(object)
        if (addressesOf(object).has(addressOf(sink))) broker = object.metadata.name
      },
      deleted: brokers.deleted,
    },
    () => {
      if (broker === undefined)
        relyOnAnswers(`no Broker in namespace ${namespace} has the address of the sink`)
    },
  )
  const watches = [
    ofBrokers,
    follow(knativeResources.triggers, triggers),
    follow(knativeResources.services, services),
  ]

  const failureOfFunction = (kind: KindName, provider: string): string | undefined => {
    const found = triggers.all().filter(isFor(broker, kind, provider))
    const about = `${pluralTitle(kind)} of type ${provider}`
    if (isUnrouted(about, found.length === 0)) return `no Trigger selects events of ${about}`
    if (found.length === 0) return undefined
    const failures = found.map(
      ({ name, service }) =>
        triggers.failureOf(name) ?? (service === undefined ? undefined : services.failureOf(service)),
    )
    return failures.includes(undefined) ? undefined : failures[0]
  }

  const failureOf = (functions: Iterable<readonly [KindName, string]>): string | undefined => {
    if (broker === undefined || watches.some(({ synced }) => !synced())) return undefined
    const failed = brokers.failureOf(broker)
    if (failed !== undefined) return failed
    for (const [kind, provider] of functions) {
      const why = failureOfFunction(kind, provider)
      if (why !== undefined) return why
    }
    return undefined
  }
  const { objectSeen, objectDeleted, functions } = createNeededFunctions()

  return {
    brokenFor: types => failureOf(functionsOf(followed, selection.served, types)),
    brokenForObjects: () => failureOf(functions()),
    objectSeen,
    objectDeleted,
    watches,
    run: async signal => {
      await Promise.all(watches.map(({ run }) => run(signal)))
    },
  }
}

/** Returns the kinds and types of the functions with health checks. */
const functionsOf = (
  followed: ReturnType<typeof followedHealth>,
  served: KnativePathOptions['selection']['served'],
  types: readonly string[] | undefined,
): readonly (readonly [KindName, string])[] => {
  if (served !== undefined)
    return served
      .filter(({ kind, type }) => followed.of(kind, type) !== undefined && (types?.includes(type) ?? true))
      .map(({ kind, type }) => [kind, type])
  return followed.kinds.flatMap(kind => (types ?? []).map(type => [kind, type] as const))
}

interface FollowedTrigger {
  readonly name: string
  readonly broker: string
  readonly spec: unknown
  /** The Knative Service in the same namespace; undefined: another subscriber. */
  readonly service: string | undefined
}

const routeOf = ({ metadata, spec }: KubernetesObject): FollowedTrigger => {
  const { broker, filter, filters, subscriber } = recordOf(spec)
  const ref = recordOf(recordOf(subscriber).ref)
  const isHere = ref.namespace === undefined || ref.namespace === metadata.namespace
  const isService = ref.kind === 'Service' && stringOf(ref.apiVersion).startsWith('serving.knative.dev/')
  return {
    name: metadata.name,
    broker: stringOf(broker),
    spec: { filter, filters },
    service: isHere && isService ? stringOf(ref.name) : undefined,
  }
}

/**
 * A Trigger for all events, such as one for audits, is none for a function. One with a filter that the bridge cannot
 * evaluate may be.
 */
const isFor =
  (broker: string | undefined, kind: KindName, provider: string) =>
  (route: FollowedTrigger): boolean => {
    const attributes = (name: string, type: string) => ({
      kind: name,
      provider: type,
      type: `${eventTypePrefix}${name.toLowerCase()}.healthcheck`,
    })
    return (
      route.broker === broker &&
      passes(route.spec, attributes(kind, provider)) !== false &&
      passes(route.spec, attributes('Another', 'another')) !== true
    )
  }

const addressOf = (url: string): string => url.replace(/\/$/, '')

/** A Broker with TLS has several. */
const addressesOf = ({ status }: KubernetesObject): ReadonlySet<string> => {
  const { address, addresses } = recordOf(status)
  const all: readonly unknown[] = [address, ...(Array.isArray(addresses) ? addresses : [])]
  return new Set(all.map(each => addressOf(stringOf(recordOf(each).url))))
}

/** The functions that have an object now. */
interface NeededFunctions extends Required<Pick<Observer, 'objectSeen' | 'objectDeleted'>> {
  /** Returns their kinds and types (`spec.type`), each once. */
  functions(): Iterable<readonly [KindName, string]>
}

/**
 * gardenlet waits for no Bastion. While an installation is not healthy, it reconciles no shoot of the seed
 * (`WaitUntilRequiredExtensionsReady`), which a function for bastions must not cause.
 */
const neverAwaited: readonly KindName[] = ['Bastion']

const createNeededFunctions = (): NeededFunctions => {
  const objects = new Map<string, readonly [KindName, string]>()
  return {
    objectSeen: ({ kind, object, facts, decision }) => {
      if (decision === undefined || neverAwaited.includes(kind)) objects.delete(idOf(kind, object.metadata))
      else objects.set(idOf(kind, object.metadata), [kind, facts.provider])
    },
    objectDeleted: (kind, key) => void objects.delete(idOf(kind, key)),
    functions: () => new Map([...objects.values()].map(one => [one.join(), one])).values(),
  }
}
