import { randomUUID } from 'node:crypto'
import type { Clock } from '../../shared/clock/clock.ts'
import { type KindName, kinds } from '../../shared/contract/kinds.ts'
import { recordOf, stringOf } from '../../shared/decode/record-of.ts'
import { buildEvent, eventJson } from '../../shared/events/events.ts'
import {
  type Kubernetes,
  type KubernetesObject,
  readText,
  type Transport,
} from '../../shared/kubernetes/kubernetes.ts'
import { messageOf } from '../../shared/text/message-of.ts'
import {
  type CheckedFunction,
  type CheckedSeed,
  objectsOf,
  serverNow,
  type WakeResult,
} from './checked-seed.ts'
import { listOf } from './conditions.ts'
import { podReasons, podsOfNewestRevision, podsOfService } from './pod-reasons.ts'
import { inParallel, readAgain } from './read-seed.ts'
import { targetOf } from './trigger-target.ts'

export interface WakeOptions {
  readonly kubernetes: Pick<Kubernetes, 'list'>
  readonly transport: Transport
  readonly clock: Clock
  readonly signal: AbortSignal
}

/** The pods of so many Services start at a time, because each asks its node for memory and an image. */
const atOnce = 5
/** A pod that pulls its image has this long to become ready, in ms. Knative's own limit for a revision is ten minutes. */
const patienceMs = 60_000
/** Between two lists of the pods, in ms. */
const pollMs = 1_000

/**
 * Sends an event to each Service without pods, through its Broker as the bridge does, and watches the pod that Knative
 * starts for it. The event asks for the health of an object that does not exist, so the function reads nothing but that
 * and changes nothing. Needs the right to `create` the subresource `services/proxy` in the namespace of the broker's
 * ingress. Never throws; returns the results by Service.
 */
export const wakeFunctions = async (
  seed: CheckedSeed,
  options: WakeOptions,
): Promise<ReadonlyMap<string, WakeResult>> => {
  const sleeping = objectsOf(seed, 'services').filter(
    ({ metadata }) => podsOfService(seed, metadata.name).length === 0,
  )
  const results = new Map<string, WakeResult>()
  const rest = sleeping.values()
  await inParallel(Array.from({ length: atOnce }), async () => {
    for (const service of rest) results.set(service.metadata.name, await wakeOne(service, seed, options))
  })
  return results
}

const unknown = (why: string): WakeResult => ({ kind: 'unknown', why })

const wakeOne = async (
  service: KubernetesObject,
  seed: CheckedSeed,
  options: WakeOptions,
): Promise<WakeResult> => {
  const { name } = service.metadata
  const target = objectsOf(seed, 'triggers')
    .map(targetOf)
    .find(one => one.service === name)
  const definition = seed.functions.find(one => one.name === target?.functionName)
  const broker = objectsOf(seed, 'brokers').find(({ metadata }) => metadata.name === target?.broker)
  if (target === undefined || broker === undefined) return unknown('no Trigger or no Broker leads to it')
  if (definition === undefined)
    return unknown('this command does not know its kind (--project names its folder)')
  const path = proxyPathOf(broker)
  if (path === undefined)
    return unknown(
      `the address of the Broker ${broker.metadata.name} is not that of a Service in the cluster`,
    )
  const startedAt = options.clock.now()
  const refused = await send(path, testEvent(definition, seed.namespace, startedAt), options)
  return refused === undefined ? await watchStart(service, startedAt, seed, options) : unknown(refused)
}

/**
 * Returns the path of the API server's proxy to the address of a Broker, `http://<service>.<namespace>.svc.<domain>/…`.
 * Undefined for another address.
 */
const proxyPathOf = ({ status }: KubernetesObject): string | undefined => {
  const address = URL.parse(stringOf(recordOf(recordOf(status).address).url))
  const [service, namespace, svc] = address?.hostname.split('.') ?? []
  if (address === null || svc !== 'svc') return undefined
  const scheme = address.protocol.slice(0, -1)
  const port = address.port || (scheme === 'https' ? '443' : '80')
  return `/api/v1/namespaces/${namespace}/services/${scheme}:${service}:${port}/proxy${address.pathname}`
}

const testEvent = ({ kind, types, classes }: CheckedFunction, namespace: string, now: number): string => {
  const { resource } = kinds[kind as KindName]
  const uid = randomUUID()
  const event = buildEvent({
    object: {
      apiVersion: `${resource.group}/${resource.version}`,
      kind,
      metadata: { name: 'trellis-doctor', uid, ...(resource.namespaced && { namespace }) },
      spec: { type: types[0], ...(classes?.[0] !== undefined && { class: classes[0] }) },
    },
    kind,
    operation: 'healthcheck',
    cause: 'doctor',
    reason: 'doctor',
    attempt: 0,
    source: '/doctor',
    now,
  })
  return JSON.stringify(eventJson(event))
}

/** Returns why an event was not accepted. */
const send = async (
  path: string,
  body: string,
  { transport, signal }: WakeOptions,
): Promise<string | undefined> => {
  try {
    const headers = { 'content-type': 'application/cloudevents+json', accept: '*/*' }
    const answer = await transport({ method: 'POST', path, headers, body, signal })
    const text = await readText(answer.body)
    if (answer.status < 300) return undefined
    const where = path.replace(/\/proxy.*/, '')
    return answer.status === 403
      ? `you may not create services/proxy (${where})`
      : `the Broker answered ${answer.status} through the API server (${where}): ${text.slice(0, 200)}`
  } catch (error) {
    return `the event could not be sent: ${messageOf(error)}`
  }
}

/** Lists the pods until one of the newest revision is ready, or the time is over. */
const watchStart = async (
  service: KubernetesObject,
  startedAt: number,
  { namespace, reads, server }: CheckedSeed,
  { kubernetes, clock, signal }: WakeOptions,
): Promise<WakeResult> => {
  for (;;) {
    const waitedMs = clock.now() - startedAt
    const pods = await readAgain('pods', { kubernetes, namespace, signal })
    const now = { reads: { ...reads, pods } }
    const own = podsOfNewestRevision(now, service)
    if (own.some(isReady)) return { kind: 'started', afterMs: waitedMs }
    const seenAt = serverNow({ server }) + clock.now() - server.answeredAt
    const why =
      podReasons(own, seenAt) || (own.length === 0 ? 'no pod was created' : 'its pod is not ready yet')
    if (signal.aborted) return unknown(`the time of --timeout is over; until then, ${why}`)
    if (pods.kind === 'objects' && pods.objects.length === 0)
      return unknown('the API server shows no pod at all, not even that of the bridge')
    if (waitedMs >= patienceMs)
      return { kind: 'failed', why: `${why} (${Math.round(waitedMs / 1000)} s after a test event)` }
    await clock.sleep(pollMs, signal).catch(() => {})
  }
}

const isReady = ({ status, metadata }: KubernetesObject): boolean =>
  metadata.deletionTimestamp === undefined &&
  listOf(recordOf(status).conditions)
    .map(recordOf)
    .some(({ type, status: state }) => type === 'Ready' && state === 'True')
