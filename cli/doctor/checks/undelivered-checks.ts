import { tooFewWorkers } from '../../../knative/knative.ts'
import { recordOf, stringOf } from '../../../shared/decode/record-of.ts'
import { when } from '../../../shared/lists/when.ts'
import { objectsOf } from '../checked-seed.ts'
import { type DoctorCheck, ok, problem, warning } from '../diagnosis.ts'

const classAnnotation = 'eventing.knative.dev/broker.class'
const workersAnnotation = 'rabbitmq.eventing.knative.dev/parallelism'

/** The way back of events that a Broker cannot deliver (docs/brokers.md#undelivered-events). */
export const undeliveredChecks: readonly DoctorCheck[] = [
  {
    area: 'broker',
    about: 'way back of undelivered events',
    needs: ['brokers', 'triggers'],
    run: seed => {
      const { namespace } = seed
      const sink = `{"uri":"http://bridge.${namespace}.svc:8080/undelivered"}`
      const used = new Set(objectsOf(seed, 'triggers').map(({ spec }) => stringOf(recordOf(spec).broker)))
      const brokers = objectsOf(seed, 'brokers').filter(({ metadata }) => used.has(metadata.name))
      const alone = brokers.filter(
        ({ spec }) => recordOf(recordOf(spec).delivery).deadLetterSink === undefined,
      )
      const own = objectsOf(seed, 'triggers').filter(({ spec }) => {
        const { delivery } = recordOf(spec)
        return delivery !== undefined && recordOf(delivery).deadLetterSink === undefined
      })
      const found = [
        ...alone.map(({ metadata: { name, annotations } }) => {
          const advice = `kubectl -n ${namespace} patch broker ${name} --type merge -p '{"spec":{"delivery":{"deadLetterSink":${sink}}}}'`
          return annotations?.[classAnnotation] === 'RabbitMQBroker'
            ? problem(
                `the Broker ${name} has no dead letter sink: one event that always fails stops all events of its Trigger until every worker has ended, and they come twice`,
                advice,
              )
            : warning(
                `the Broker ${name} has no dead letter sink: an event that it gives up waits for the bridge's repeat`,
                advice,
              )
        }),
        ...own.map(({ metadata: { name } }) =>
          warning(
            `the Trigger ${name} has a delivery without a dead letter sink, which replaces that of its Broker: an event that is given up waits for the bridge's repeat`,
            `kubectl -n ${namespace} patch trigger ${name} --type merge -p '{"spec":{"delivery":null}}'`,
          ),
        ),
      ]
      return found.length > 0 || brokers.length === 0
        ? found
        : [ok('undelivered events have a dead letter sink')]
    },
  },
  {
    area: 'broker',
    about: "workers of RabbitMQ's Triggers",
    needs: ['brokers', 'triggers'],
    run: seed =>
      objectsOf(seed, 'brokers')
        .filter(({ metadata }) => metadata.annotations?.[classAnnotation] === 'RabbitMQBroker')
        .flatMap(broker =>
          objectsOf(seed, 'triggers')
            .filter(({ spec }) => recordOf(spec).broker === broker.metadata.name)
            .flatMap(({ metadata: { name, annotations }, spec }) => {
              const workers = Number(annotations?.[workersAnnotation] ?? 1)
              const delivery = recordOf(recordOf(spec).delivery ?? recordOf(broker.spec).delivery)
              const why = tooFewWorkers(workers, {
                retry: Number(delivery.retry ?? 0),
                backoffPolicy: delivery.backoffPolicy === 'linear' ? 'linear' : 'exponential',
                backoffDelay: stringOf(delivery.backoffDelay),
                timeout: stringOf(delivery.timeout),
              })
              return when(
                why !== undefined && !(workers <= 1),
                warning(
                  `the Trigger ${name}: ${why}`,
                  `kubectl -n ${seed.namespace} annotate trigger ${name} --overwrite ${workersAnnotation}=34, and let the function accept as many events`,
                ),
              )
            }),
        ),
  },
]
