import { when } from '../../../shared/lists/when.ts'
import { objectsOf } from '../checked-seed.ts'
import { type DoctorCheck, problem, warning } from '../diagnosis.ts'

const classAnnotation = 'eventing.knative.dev/broker.class'
const orderAnnotation = 'kafka.eventing.knative.dev/delivery.order'
const workersAnnotation = 'rabbitmq.eventing.knative.dev/parallelism'

/** The settings that Triggers of a class need; without one, events of other objects are delayed (docs/brokers.md). */
export const brokerClassChecks: readonly DoctorCheck[] = [
  {
    area: 'broker',
    about: 'parallel delivery of Triggers',
    needs: ['brokers', 'triggers'],
    run: seed => {
      const classes = new Set(
        objectsOf(seed, 'brokers').map(({ metadata }) => metadata.annotations?.[classAnnotation] ?? ''),
      )
      const triggers = objectsOf(seed, 'triggers').map(({ metadata }) => metadata)
      const annotate = `kubectl -n ${seed.namespace} annotate trigger --all --overwrite`
      const ordered = triggers.filter(({ annotations }) => annotations?.[orderAnnotation] === 'ordered')
      const single = triggers.filter(({ annotations }) => !(Number(annotations?.[workersAnnotation]) > 1))
      return [
        ...when(
          classes.has('Kafka') && ordered.length > 0,
          problem(
            `${ordered.length} Triggers deliver in order: one slow step delays all objects of its partition`,
            `${annotate} ${orderAnnotation}=unordered`,
          ),
        ),
        ...when(
          classes.has('RabbitMQBroker') && single.length > 0,
          warning(
            `${single.length} Triggers deliver one event at a time: one slow step delays all objects`,
            `${annotate} ${workersAnnotation}=100`,
          ),
        ),
      ]
    },
  },
]
