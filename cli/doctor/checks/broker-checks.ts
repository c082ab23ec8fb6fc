import { defaultUnclaimedMs } from '../../../bridge/bridge.ts'
import { parseIsoDuration } from '../../../shared/clock/clock.ts'
import { recordOf, stringOf } from '../../../shared/decode/record-of.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { bridgeDeploymentOf, environmentOf } from '../bridge-facts.ts'
import { type CheckedSeed, objectsOf } from '../checked-seed.ts'
import { whyNotReady } from '../conditions.ts'
import { type Diagnosis, type DoctorCheck, ok, problem, warning } from '../diagnosis.ts'

const classAnnotation = 'eventing.knative.dev/broker.class'
const asyncAnnotation = 'messaging.knative.dev/async-handler'

/** The tested classes of brokers; the first one has the in-memory channel by default. */
const knownClasses = ['MTChannelBasedBroker', 'Kafka', 'KafkaNamespaced', 'RabbitMQBroker']

/** The hard stop of a step, in ms (docs/architecture.md#one-event-one-step). */
const hardStopMs = 60_000

/** Returns the time after which the bridge sends an unclaimed event again, in ms. */
const unclaimedMsOf = (seed: CheckedSeed): number =>
  Number(environmentOf(bridgeDeploymentOf(seed).deployment).value('TRELLIS_UNCLAIMED_MS')) ||
  defaultUnclaimedMs

/** Returns the Brokers of the functions' Triggers; without any Trigger, all Brokers of the seed. */
const usedBrokers = (
  seed: CheckedSeed,
): { readonly names: readonly string[]; readonly there: readonly KubernetesObject[] } => {
  const there = objectsOf(seed, 'brokers')
  const wanted = objectsOf(seed, 'triggers').map(({ spec }) => stringOf(recordOf(spec).broker))
  const names = [...new Set(wanted.filter(name => name !== ''))]
  return names.length === 0
    ? { names: there.map(({ metadata }) => metadata.name), there }
    : { names, there: there.filter(({ metadata }) => names.includes(metadata.name)) }
}

const ofEach =
  (diagnose: (broker: KubernetesObject, seed: CheckedSeed) => readonly Diagnosis[]): DoctorCheck['run'] =>
  seed =>
    usedBrokers(seed).there.flatMap(broker => diagnose(broker, seed))

export const brokerChecks: readonly DoctorCheck[] = [
  {
    area: 'broker',
    about: 'existence of the Broker',
    needs: ['brokers', 'triggers'],
    run: seed => {
      const { names, there } = usedBrokers(seed)
      const { namespace } = seed
      if (names.length === 0)
        return [
          problem(
            `the namespace ${namespace} has no Broker`,
            'install Trellis (docs/installing.md), or give its namespace: trellis doctor --namespace',
          ),
        ]
      const known = new Set(there.map(({ metadata }) => metadata.name))
      return names
        .filter(name => !known.has(name))
        .map(name =>
          problem(
            `the Broker ${name} is missing, but Triggers refer to it`,
            `apply the Broker ${namespace}/${name} again from the manifests, chart or registration that installed it; until then the bridge holds its events`,
          ),
        )
    },
  },
  {
    area: 'broker',
    about: 'readiness of the Broker',
    needs: ['brokers', 'triggers'],
    run: ofEach((broker, { namespace }) => {
      const { name } = broker.metadata
      const why = whyNotReady(broker)
      return why === undefined
        ? [ok(`the Broker ${name} is ready`)]
        : [
            problem(
              `the Broker ${name} is not ready: ${why}`,
              `kubectl -n ${namespace} describe broker ${name}; its controller runs in knative-eventing`,
            ),
          ]
    }),
  },
  {
    area: 'broker',
    about: 'class of the Broker',
    needs: ['brokers', 'triggers'],
    run: ofEach(({ metadata: { name, annotations = {} } }) => {
      const brokerClass = annotations[classAnnotation]
      if (brokerClass === undefined) return []
      return knownClasses.includes(brokerClass)
        ? [ok(`Trellis supports the class ${brokerClass} of ${name}`)]
        : [
            warning(
              `Trellis was not tested with the class ${brokerClass} of ${name}`,
              `use one of ${knownClasses.join(', ')} (docs/brokers.md)`,
            ),
          ]
    }),
  },
  {
    area: 'broker',
    about: 'asynchronous answers of the Broker',
    needs: ['brokers', 'triggers'],
    run: ofEach((broker, seed) => asyncHandlerOf(broker, seed)),
  },
  {
    area: 'broker',
    about: 'delivery settings of the Broker',
    needs: ['brokers', 'triggers'],
    run: ofEach((broker, seed) => deliveryOf(broker, seed)),
  },
]

/**
 * By default, the in-memory channel answers only after the function has ended. Knative passes the annotation on to the
 * channel. The channel's dispatcher reads it only when it creates the channel's handler (eventing 8cf4c4b6,
 * pkg/reconciler/broker and pkg/reconciler/inmemorychannel/dispatcher).
 */
const asyncHandlerOf = (
  { metadata: { name, annotations = {} } }: KubernetesObject,
  seed: CheckedSeed,
): readonly Diagnosis[] => {
  if ((annotations[classAnnotation] ?? 'MTChannelBasedBroker') !== 'MTChannelBasedBroker') return []
  const { namespace } = seed
  const restart = 'kubectl -n knative-eventing rollout restart deployment imc-dispatcher'
  if (annotations[asyncAnnotation] !== 'true')
    return [
      problem(
        `the Broker ${name} answers only after the function has ended: ${asyncAnnotation}: "true" is missing`,
        `kubectl -n ${namespace} annotate broker ${name} ${asyncAnnotation}=true --overwrite && ${restart}`,
      ),
    ]
  const channel = objectsOf(seed, 'channels').find(({ metadata }) => metadata.name === `${name}-kne-trigger`)
  if (channel !== undefined && channel.metadata.annotations?.[asyncAnnotation] !== 'true')
    return [
      problem(
        `the channel of the Broker ${name} lacks ${asyncAnnotation}`,
        `kubectl -n ${namespace} annotate inmemorychannel ${channel.metadata.name} ${asyncAnnotation}=true && ${restart}`,
      ),
    ]
  return [ok(`the Broker ${name} answers at once (${asyncAnnotation})`)]
}

const deliveryOf = (
  { metadata: { name, namespace = '', annotations = {} }, spec }: KubernetesObject,
  seed: CheckedSeed,
): readonly Diagnosis[] => {
  const unclaimedMs = unclaimedMsOf(seed)
  const {
    timeout,
    retry = 0,
    backoffDelay = 'PT0.2S',
    backoffPolicy = 'exponential',
  } = recordOf(recordOf(spec).delivery)
  const patch = `kubectl -n ${namespace} patch broker ${name} --type merge -p`
  const timeoutMs = parseIsoDuration(stringOf(timeout))
  const found: Diagnosis[] = []
  if (timeoutMs !== undefined && timeoutMs <= hardStopMs)
    found.push(
      problem(
        `the Broker ${name} gives up a delivery after ${timeoutMs / 1000} s, before a step times out (${hardStopMs / 1000} s): slow steps would run twice`,
        `${patch} '{"spec":{"delivery":{"timeout":"PT75S"}}}'`,
      ),
    )
  const retries = typeof retry === 'number' ? retry : 0
  const delayMs = parseIsoDuration(stringOf(backoffDelay)) ?? 0
  // With Kafka and RabbitMQ, the first wait is twice the delay.
  const factor = (annotations[classAnnotation] ?? knownClasses[0]) === knownClasses[0] ? 1 : 2
  const lastsMs = factor * retriesLastMs(retries, delayMs, stringOf(backoffPolicy))
  if (retries === 0) {
    found.push(
      warning(
        `the Broker ${name} does not retry: after a temporary refusal, an event waits ${unclaimedMs / 1000} s for the bridge`,
        `${patch} '{"spec":{"delivery":{"retry":5,"backoffPolicy":"exponential","backoffDelay":"PT1S"}}}'`,
      ),
    )
  } else if (lastsMs >= unclaimedMs) {
    found.push(
      problem(
        `the Broker ${name} retries for ${Math.round(lastsMs / 1000)} s, but the bridge sends an event again after ${unclaimedMs / 1000} s: the same event could be delivered twice at once`,
        `${patch} '{"spec":{"delivery":{"retry":5,"backoffPolicy":"exponential","backoffDelay":"PT1S"}}}', or increase TRELLIS_UNCLAIMED_MS of the bridge`,
      ),
    )
  }
  return found.length > 0 ? found : [ok(`the delivery of ${name} fits the steps and the bridge`)]
}

/**
 * Returns the total wait of the in-memory broker's retries, without the time of the function itself: delay · 2^n or
 * delay · n.
 */
const retriesLastMs = (retries: number, delayMs: number, policy: string): number =>
  policy === 'linear' ? (delayMs * retries * (retries + 1)) / 2 : delayMs * (2 ** retries - 1)
