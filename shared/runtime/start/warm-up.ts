import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { type Clock, systemClock } from '../../clock/clock.ts'
import { buildEvent, eventMessage } from '../../events/events.ts'
import { createKubernetes, mergePatch, type Transport } from '../../kubernetes/kubernetes.ts'
import { createLog } from '../../log/log.ts'
import { answerEvents, eventMetrics } from '../answer-events.ts'
import type { FunctionDefinition } from '../definition/definition.ts'
import { handlerOf } from '../handler-of.ts'
import { createMetrics } from '../metrics.ts'
import { processSettings, processSettingsOf } from '../process-settings.ts'
import { printableSettings } from '../settings.ts'
import { sampleSeed } from './sample-object.ts'

/**
 * Has a function answer an event of an object that there is not, twice, so that what its first event needs has been compiled:
 * schemas, the lifecycle, the client of the API server, the log. Nothing is sent anywhere. The step fails where it asks the
 * cloud, which `connection` refuses.
 */
export const warmUp = async (definition: FunctionDefinition, connection?: unknown): Promise<void> => {
  const { any } = AbortSignal
  // Signals made of others are known to a finalization registry, which cannot be part of a snapshot.
  AbortSignal.any = ([signal = new AbortController().signal]) => signal
  try {
    for (let round = 0; round < 2; round++) await answerSample(definition, connection)
  } finally {
    AbortSignal.any = any
  }
}

const answerSample = async (definition: FunctionDefinition, connection: unknown): Promise<void> => {
  const { name, kind, types } = definition
  const { object, byPath } = sampleSeed(kind, types[0] ?? '')
  const clock: Clock = { ...systemClock, now: () => 0 }
  const log = createLog({ level: 'info', name, destination: { write: () => undefined } })
  const metrics = createMetrics()
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
  await events.respondTo(
    requestOf(
      eventMessage(
        buildEvent({
          object,
          kind,
          operation: 'reconcile',
          cause: 'annotation',
          reason: 'annotation',
          attempt: 0,
          source: '/seeds/sample',
          now: 0,
        }),
      ),
    ),
  )
}

/** An API server that has these objects and takes every change of them. */
const sampleTransport =
  (byPath: Map<string, object>): Transport =>
  async ({ method, path, body }) => {
    const key = path.split('?')[0]?.replace(/\/status$/, '') ?? ''
    let object = byPath.get(key)
    if (object !== undefined && method === 'PATCH') {
      object = mergePatch(object, JSON.parse(String(body))) as object
      byPath.set(key, object)
    }
    const text = JSON.stringify(
      object ?? { apiVersion: 'v1', kind: 'Status', status: 'Failure', reason: 'NotFound', code: 404 },
    )
    return {
      status: object === undefined ? 404 : 200,
      headers: { 'content-type': 'application/json' },
      body: Readable.from([Buffer.from(text)]),
    }
  }

/** As much of a request as is looked at; Node's own would load its HTTP. */
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
