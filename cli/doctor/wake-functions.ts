import { randomUUID } from 'node:crypto'
import type { Clock } from '../../shared/clock/clock.ts'
import { type KindName, kinds } from '../../shared/contract/kinds.ts'
import { recordOf } from '../../shared/decode/record-of.ts'
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
/** A pod that pulls its image has this long to answer, in ms. Knative's own limit for a revision is ten minutes. */
const patienceMs = 60_000
const servingNamespace = 'knative-serving'

/**
 * Sends an event to each Service without pods, through the API server and Knative's activator, which starts a pod for
 * it. Not through the Broker, which may accept only events of the bridge's account. The event asks for the health of an
 * object that does not exist, so the function reads nothing but that and changes nothing. Needs the right to `create`
 * the subresource `services/proxy` in the namespace of Knative Serving. Never throws; returns the results by Service.
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
  const { latestCreatedRevisionName: revision } = recordOf(service.status)
  const target = objectsOf(seed, 'triggers')
    .map(targetOf)
    .find(one => one.service === name)
  const definition = seed.functions.find(one => one.name === target?.functionName)
  if (target === undefined) return unknown('no Trigger leads to it')
  if (definition === undefined)
    return unknown('this command does not know its kind (--project names its folder)')
  if (typeof revision !== 'string') return unknown('it has no revision yet')
  const { clock, signal } = options
  const startedAt = clock.now()
  const time = new AbortController()
  const cancel = clock.after(patienceMs, () => time.abort(new Error('no answer')))
  try {
    const answer = await send(
      {
        namespace: seed.namespace,
        revision,
        path: target.functionName === name ? '' : target.functionName,
        event: testEvent(definition, seed.namespace, startedAt),
      },
      { ...options, signal: AbortSignal.any([signal, time.signal]) },
    )
    const waitedMs = clock.now() - startedAt
    if (answer === undefined) return { kind: 'started', afterMs: waitedMs }
    if (signal.aborted) return unknown('the time of --timeout is over')
    if (answer.isRefused) return unknown(answer.why)
    const why = (await reasonsOf(service, seed, options)) || answer.why
    return { kind: 'failed', why: `${why} (${Math.round(waitedMs / 1000)} s after a test event)` }
  } finally {
    cancel()
  }
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

interface TestMessage {
  readonly namespace: string
  readonly revision: string
  /** The function in a Service of several; '' for its only one. */
  readonly path: string
  readonly event: string
}

/** Returns why a function has not answered. `isRefused`: the API server did not pass the event on. */
const send = async (
  { namespace, revision, path, event }: TestMessage,
  { transport, signal }: WakeOptions,
): Promise<{ readonly why: string; readonly isRefused: boolean } | undefined> => {
  try {
    const answer = await transport({
      method: 'POST',
      path: `/api/v1/namespaces/${servingNamespace}/services/http:activator-service:80/proxy/${path}`,
      headers: {
        'content-type': 'application/cloudevents+json',
        accept: '*/*',
        // The activator serves all revisions without pods, and needs the name (knative/serving, pkg/activator).
        'knative-serving-namespace': namespace,
        'knative-serving-revision': revision,
      },
      body: event,
      signal,
    })
    const text = (await readText(answer.body)).slice(0, 200)
    if (answer.status < 300) return undefined
    return answer.status === 403
      ? { why: `you may not create services/proxy in the namespace ${servingNamespace}`, isRefused: true }
      : {
          why: `Knative's activator answered ${answer.status} through the API server: ${text}`,
          isRefused: answer.status === 401 || answer.status === 404,
        }
  } catch (error) {
    return { why: messageOf(error), isRefused: false }
  }
}

const reasonsOf = async (
  service: KubernetesObject,
  { namespace, reads, server }: CheckedSeed,
  { kubernetes, clock, signal }: WakeOptions,
): Promise<string> => {
  const pods = await readAgain('pods', { kubernetes, namespace, signal })
  const own = podsOfNewestRevision({ reads: { ...reads, pods } }, service)
  return podReasons(own, serverNow({ server }) + clock.now() - server.answeredAt)
}
