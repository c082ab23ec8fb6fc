import type { Clock } from '../../shared/clock/clock.ts'
import { followSignal, formatMilliseconds } from '../../shared/clock/clock.ts'
import type { Post } from '../../shared/events/events.ts'
import type { Log } from '../../shared/log/log.ts'
import type { BrokerCounts, BrokerEvent, DeadLetter, PublishResult } from './broker-event.ts'
import { type BrokerKind, brokerKindOf } from './broker-kind.ts'
import { endedDelivery, withError } from './dead-letter.ts'
import { type DeliveryAttempt, type DeliveryEnd, deliver } from './deliver.ts'
import type { BrokeredEvent } from './http-binding.ts'
import { createLimiter, type Limiter } from './limiter.ts'
import {
  type Broker,
  type Delivery,
  type Destination,
  idOf,
  type KnativeService,
  type Manifests,
} from './manifests.ts'
import { partitionOf } from './partition.ts'
import { createPodLife } from './pod-life.ts'
import { asyncHandler, type BrokerName, isOrdered, type Profile, profiles } from './profile.ts'
import { routesOf, type TriggerRoute } from './routes.ts'
import { type Consumption, createTriggerQueue, type Handled, type TriggerQueue } from './trigger-queue.ts'

export interface BrokerCoreOptions {
  /** The result of `loadManifests`: the same files that a cluster gets. */
  readonly manifests: Manifests
  /**
   * Returns the URL of a Knative Service's process. May take as long as a cold start. A rejection is a failed attempt,
   * which is retried like any other.
   */
  readonly resolve: (service: string, namespace: string) => Promise<string>
  /**
   * Returns the address of a name in the cluster, such as `http://bridge.trellis.svc:8080/undelivered`. Default: no pod
   * has such a name.
   */
  readonly resolveUri?: (uri: string) => Promise<string>
  /** Called when a request to a URL from `resolve` has ended, with any outcome. No work remains there. */
  readonly onAnswered?: (service: string, namespace: string) => void
  readonly clock: Clock
  readonly log: Log
  /** The broker to imitate. Default: the class and config of each Broker. */
  readonly profile?: BrokerName
  /** Number of processes of a Service, which multiplies its containerConcurrency. Default: 1. */
  readonly scale?: (service: string, namespace: string) => number
  /** Returns a way to subscribers with this timeout for each exchange, in ms. */
  readonly postWithin: (timeoutMs: number) => Post
}

/** A broker without a network. */
export interface BrokerCore {
  /** Processes a well-formed event as the ingress does. Does not wait for deliveries. */
  publish(event: BrokeredEvent, namespace: string, name: string): PublishResult
  /**
   * Processes a well-formed event, and resolves when the ingress would respond: a synchronous Broker waits for its
   * deliveries. `gone` aborts when the sender disconnects.
   */
  take(
    event: BrokeredEvent,
    namespace: string,
    name: string,
    gone: AbortSignal,
  ): Promise<PublishResult | 'undelivered'>
  /** Replaces the dispatchers of all Triggers, as a rolling update (SIGTERM) or a crash (SIGKILL) does. */
  replaceDispatchers(by: 'SIGTERM' | 'SIGKILL'): void
  /** Stops or starts the storage of the events (RabbitMQ, Kafka, NATS). The in-memory channel has none. */
  storage(isUp: boolean): void
  /** Returns the status for an event that the storage of a Broker (`<namespace>/<name>`) does not accept. */
  tooLargeFor(broker: string): number
  /** Reports an event that the ingress refuses. */
  refused(broker: string, problem: string): void
  /** Calls the listener with every event. The returned function unsubscribes. */
  onEvent(listener: (event: BrokerEvent) => void): () => void
  /**
   * Replaces the Triggers and Services, as `kubectl apply` would. Running deliveries continue. Brokers are not changed.
   */
  apply(manifests: Manifests): void
  readonly deadLetters: readonly DeadLetter[]
  counts(): BrokerCounts
  /** Resolves when no delivery is running or waiting for a retry. */
  idle(): Promise<void>
  /** Drops undelivered events, as a crash would. */
  close(): Promise<void>
}

/** The result of an event at the ingress, and the deliveries that it started. */
interface Acceptance {
  readonly result: PublishResult
  readonly deliveries: readonly Promise<boolean>[]
}

/** The extension in which a broker counts down, so that a reply that matches its own Trigger does not loop forever. */
const ttlAttribute = 'knativebrokerttl'
const firstTtl = 255

/** Creates a broker with the Triggers of the manifests. Events are in memory. */
export const createBrokerCore = (options: BrokerCoreOptions): BrokerCore => {
  const { manifests, resolve, onAnswered, clock, log, postWithin } = options
  const { scale = () => 1, resolveUri = outsideCluster } = options
  const brokers = new Map(
    manifests.brokers.map(broker => [idOf(broker.metadata), kindOf(broker, manifests, options.profile)]),
  )
  const brokerOf = (id: string): BrokerKind => brokers.get(id) ?? unconfigured
  const routesIn = (present: Manifests) => routesOf(present, id => brokerOf(id).profile)
  const stop = new AbortController()
  let routes = routesIn(manifests)
  let services = servicesOf(manifests)
  const limiters = new Map<string, Limiter>()
  /**
   * One per Trigger, or per partition for a Trigger with ordered delivery; and one for the dead letters of a Broker.
   */
  const queues = new Map<string, TriggerQueue>()
  /** The time of the last acceptance, by Broker and id. */
  const takenAt = new Map<string, number>()
  const running = new Set<Promise<boolean>>()
  const synchronous = new Set(
    manifests.brokers
      .filter(
        ({ metadata }) =>
          brokerOf(idOf(metadata)).profile.synchronous && metadata.annotations[asyncHandler] !== 'true',
      )
      .map(({ metadata }) => idOf(metadata)),
  )
  const listeners = new Set<(event: BrokerEvent) => void>()
  const deadLetters: DeadLetter[] = []
  const counts = {
    received: 0,
    unmatched: 0,
    duplicate: 0,
    refused: 0,
    attempt: 0,
    delivered: 0,
    'dead-letter': 0,
    'channel-closed': 0,
  }

  /** False while the programs of a broker that ends without its storage are down. */
  let isRunning = true
  const pods = createPodLife(clock, nowRunning => {
    isRunning = nowRunning
    for (const queue of queues.values())
      if (nowRunning) queue.resume()
      else queue.replace('SIGKILL')
  })

  const emit = (event: BrokerEvent): void => {
    counts[event.kind]++
    for (const listener of listeners) listener(event)
  }

  const send = async (
    name: string,
    namespace: string,
    destination: Destination,
    event: BrokeredEvent,
    { delivery, profile }: { readonly delivery: Delivery; readonly profile: Profile },
    signal: AbortSignal,
  ): Promise<DeliveryEnd> => {
    const reference = destination.ref && {
      name: destination.ref.name,
      namespace: destination.ref.namespace ?? namespace,
    }
    const service = reference && services.get(idOf(reference))
    let started = clock.now()
    return deliver(
      {
        event,
        namespace,
        delivery,
        signal,
        limiter: service && limiterOf(service),
        cutAfterMs: service && service.spec.template.spec.timeoutSeconds * 1000,
        target: () => {
          started = clock.now()
          return reference
            ? resolve(reference.name, reference.namespace).then(
                url => new URL(destination.uri ?? '', url).href,
              )
            : resolveUri(destination.uri ?? '')
        },
        ...(reference && { onAnswered: () => onAnswered?.(reference.name, reference.namespace) }),
        onAttempt: (attempt: DeliveryAttempt) => {
          emit({ kind: 'attempt', trigger: name, event, durationMs: clock.now() - started, ...attempt })
          const { id, type } = event.attributes
          if (attempt.reason !== undefined)
            log.warn('delivery failed', { trigger: name, id, type, ...attempt })
        },
      },
      { clock, profile, postWithin },
    )
  }

  const limiterOf = (service: KnativeService): Limiter => {
    const id = idOf(service.metadata)
    const { name, namespace } = service.metadata
    const limiter =
      limiters.get(id) ??
      createLimiter(service.spec.template.spec.containerConcurrency * scale(name, namespace))
    limiters.set(id, limiter)
    return limiter
  }

  /** Sends a dead letter to its sink, if there is one. */
  const bury = async (
    { name, trigger, delivery }: TriggerRoute,
    letter: BrokeredEvent,
    reason: string,
    sink: Destination | undefined,
    signal: AbortSignal,
  ): Promise<Handled> => {
    const { namespace } = trigger.metadata
    const { profile } = brokerOf(idOf({ namespace, name: trigger.spec.broker }))
    const { timeout: _, ...untimed } = delivery
    const how = { profile, delivery: profile.storesDeadLetters ? untimed : delivery }
    const sent = sink && (await send(`${name} (dead letter sink)`, namespace, sink, letter, how, signal))
    const dead: DeadLetter = { trigger: name, event: letter, reason, sink: sent?.kind ?? 'none' }
    deadLetters.push(dead)
    emit({ kind: 'dead-letter', ...dead })
    return sent?.kind === 'delivered' ? 'delivered' : 'failed'
  }

  const handle = async (
    route: TriggerRoute,
    event: BrokeredEvent,
    ttl: number,
    signal: AbortSignal,
  ): Promise<Handled> => {
    const { name, trigger, delivery } = route
    const { namespace } = trigger.metadata
    const broker = idOf({ namespace, name: trigger.spec.broker })
    const { profile } = brokerOf(broker)
    const how = { delivery, profile }
    const end = await send(name, namespace, trigger.spec.subscriber, event, how, signal).catch(endedDelivery)
    if (end.kind === 'delivered') {
      emit({ kind: 'delivered', trigger: name, event })
      if (end.reply) accept(end.reply, namespace, trigger.spec.broker, ttl)
      return 'delivered'
    }
    const letter = withError(event, trigger.spec.subscriber, end)
    const sink = end.refused && profile.refusal === 'dropped' ? undefined : delivery.deadLetterSink
    if (!profile.storesDeadLetters) return bury(route, letter, end.reason, sink, signal)
    // A Trigger with its own delivery, but without a sink, has no exchange for dead letters at all.
    if (sink === undefined && trigger.spec.delivery === undefined) return 'exchange missing'
    const key = trigger.spec.delivery === undefined ? `${broker} (dead letters)` : `${name} (dead letters)`
    const rules = { ...profile.consumption({}), workers: 1 }
    start(queueOf(key, rules), name, signal => bury(route, letter, end.reason, sink, signal), stop.signal)
    return 'failed'
  }

  const queueOf = (key: string, rules: Consumption): TriggerQueue => {
    const queue =
      queues.get(key) ??
      createTriggerQueue(rules, clock, why => emit({ kind: 'channel-closed', trigger: key, why }))
    queues.set(key, queue)
    return queue
  }

  /** Returns the queue of a Trigger, or of a partition that it delivers in order. */
  const queueFor = ({ name, trigger }: TriggerRoute, event: BrokeredEvent): TriggerQueue => {
    const { annotations, namespace } = trigger.metadata
    const { name: broker, profile, partitions } = brokerOf(idOf({ namespace, name: trigger.spec.broker }))
    const inOrder = broker === 'kafka' && isOrdered(annotations)
    const key = inOrder ? `${name} ${partitionOf(event.attributes, partitions)}` : name
    return queueOf(key, profile.consumption(annotations))
  }

  /** Resolves to true if a sink accepted the event. */
  const start = (
    queue: TriggerQueue,
    trigger: string,
    work: (signal: AbortSignal) => Promise<Handled>,
    signal: AbortSignal,
  ): Promise<boolean> => {
    const logged = (signal: AbortSignal) =>
      work(signal).catch((error: unknown) => {
        if (!signal.aborted) log.error('delivery broke', { trigger, error })
        throw error
      })
    const delivered = queue.put(logged, signal).finally(() => running.delete(delivered))
    running.add(delivered)
    return delivered
  }

  /** Returns true if the stream still stores an event with the id and so drops this one. */
  const isRepeated = (broker: string, { attributes: { id } }: BrokeredEvent): boolean => {
    const { duplicateWindowMs: window } = brokerOf(broker).profile
    if (window === undefined) return false
    const key = `${broker} ${id}`
    const at = takenAt.get(key)
    if (at !== undefined && clock.now() - at < window) return true
    takenAt.set(key, clock.now())
    return false
  }

  const accept = (
    event: BrokeredEvent,
    namespace: string,
    name: string,
    ttlBefore?: number,
    signal = stop.signal,
  ): Acceptance => {
    const broker = idOf({ namespace, name })
    const wanted = routes.get(broker)
    if (!wanted) return { result: 'no-such-broker', deliveries: [] }
    if (!isRunning) return { result: 'unavailable', deliveries: [] }
    const { [ttlAttribute]: given, ...attributes } = event.attributes
    const before = ttlBefore ?? (given !== undefined && /^\d+$/.test(given) ? Number(given) : undefined)
    const ttl = before === undefined ? firstTtl : before - 1
    if (ttl <= 0) {
      emit({ kind: 'refused', broker, problem: `${ttlAttribute} has expired` })
      return { result: 'ttl-expired', deliveries: [] }
    }
    const arrived: BrokeredEvent = {
      ...event,
      attributes: { ...attributes, knativearrivaltime: formatMilliseconds(clock.now()) },
    }
    emit({ kind: 'received', broker, event: arrived })
    if (isRepeated(broker, arrived)) {
      emit({ kind: 'duplicate', broker, event: arrived })
      return { result: 'accepted', deliveries: [] }
    }
    const matching = wanted.filter(({ filter }) => filter(arrived.attributes))
    if (matching.length === 0) emit({ kind: 'unmatched', broker, event: arrived })
    return {
      result: 'accepted',
      deliveries: matching.map(route =>
        start(queueFor(route, arrived), route.name, of => handle(route, arrived, ttl, of), signal),
      ),
    }
  }

  const take: BrokerCore['take'] = async (event, namespace, name, gone) => {
    if (!synchronous.has(idOf({ namespace, name }))) return accept(event, namespace, name).result
    const { signal, release } = followSignal(stop.signal, gone)
    const { result, deliveries } = accept(event, namespace, name, undefined, signal)
    const delivered = await Promise.all(deliveries).finally(release)
    return delivered.every(Boolean) ? result : 'undelivered'
  }

  return {
    publish: (event, namespace, name) => accept(event, namespace, name).result,
    take,
    replaceDispatchers: by => {
      for (const queue of [...queues.values()]) queue.replace(by)
    },
    storage: isUp => {
      if (![...brokers.values()].some(({ profile }) => profile.endsWithoutStorage)) return
      for (const queue of queues.values())
        if (!isUp) queue.pause()
        else if (isRunning) queue.resume()
      pods.storage(isUp)
    },
    tooLargeFor: broker => brokerOf(broker).profile.tooLarge,
    refused: (broker, problem) => emit({ kind: 'refused', broker, problem }),
    onEvent: listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    apply: changed => {
      routes = routesIn({ ...changed, brokers: manifests.brokers })
      services = servicesOf(changed)
      limiters.clear()
    },
    deadLetters,
    counts: () => ({ ...counts }),
    idle: async () => {
      while (running.size > 0) await Promise.all(running)
    },
    close: async () => {
      pods.close()
      stop.abort(new Error('the broker is closed'))
      await Promise.all(running)
    },
  }
}

const outsideCluster = async (uri: string): Promise<string> => {
  if (new URL(uri).hostname.endsWith('.svc')) throw new Error(`no pod serves ${uri}`)
  return uri
}

/** For a path without a Broker. */
const unconfigured: BrokerKind = { name: 'in-memory', profile: profiles['in-memory'], partitions: 1 }

const kindOf = (broker: Broker, manifests: Manifests, asked: BrokerName | undefined): BrokerKind =>
  asked === undefined
    ? brokerKindOf(broker, manifests)
    : { ...unconfigured, name: asked, profile: profiles[asked], partitions: 10 }

const servicesOf = ({ services }: Manifests): ReadonlyMap<string, KnativeService> =>
  new Map(services.map(service => [idOf(service.metadata), service]))
