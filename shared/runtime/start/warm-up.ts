import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { type Clock, systemClock } from '../../clock/clock.ts'
import { buildEvent, eventMessage } from '../../events/events.ts'
import { createKubernetes, type KubernetesObject } from '../../kubernetes/kubernetes.ts'
import { createLog } from '../../log/log.ts'
import { answerEvents, eventMetrics } from '../answer-events.ts'
import type { FunctionDefinition } from '../definition/definition.ts'
import { loadFramework } from '../event-endpoint.ts'
import { processSettings, processSettingsOf } from '../process-settings.ts'
import { createReportedMetrics } from '../reports/reported-metrics.ts'
import { printableSettings } from '../settings.ts'
import { handlerOf } from '../wire-function.ts'
import { sampleSeed } from './sample-object.ts'
import { sampleTransport } from './sample-transport.ts'

export interface WarmUpOptions {
  /** Objects of the seed; the event is for the first. Absent: a minimal seed. */
  readonly objects?: readonly KubernetesObject[]
  /** Replaces the function's connection to its cloud. */
  readonly connection?: unknown
}

/**
 * Runs a function on an event of a sample object, so that the code for its first event is compiled: schemas, the
 * lifecycle, the API server client, the log, and the step as far as it gets with these objects and this cloud. Nothing
 * is sent over the network.
 */
export const warmUp = async (
  definition: FunctionDefinition,
  { objects, connection }: WarmUpOptions = {},
): Promise<void> => {
  // A snapshot contains it.
  await loadFramework()
  const { name, kind, types } = definition
  const { object, byPath } = sampleSeed(kind, types[0] ?? '', objects)
  const clock: Clock = { ...systemClock, now: () => 0 }
  const log = createLog({ level: 'info', name, destination: { write: () => undefined } })
  const metrics = createReportedMetrics()
  const settings = processSettings(definition, { env: {} })
  log.info('function serves', { settings: printableSettings(processSettingsOf(definition), settings) })
  const kubernetes = createKubernetes({ transport: sampleTransport(byPath), clock })
  const events = answerEvents({
    paths: {
      functionAt: () => ({
        ...handlerOf(definition, settings, { kubernetes, clock, log, connection }, metrics),
        log,
      }),
      expected: '/',
    },
    settings,
    metrics: eventMetrics(metrics),
    log,
    clock,
    hardStop: new AbortController().signal,
    isDraining: () => false,
  })
  const event = buildEvent({
    object,
    kind,
    operation: 'reconcile',
    cause: 'annotation',
    reason: 'annotation',
    attempt: 0,
    source: '/seeds/sample',
    now: 0,
  })
  await events.respondTo(requestOf(eventMessage(event)))
}

/** The parts of a request that are read. Node's own class would load its HTTP code. */
const requestOf = ({
  headers,
  body,
}: {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}): IncomingMessage =>
  Object.assign(Readable.from([body]), {
    method: 'POST',
    url: '/',
    headersDistinct: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
  }) as unknown as IncomingMessage
