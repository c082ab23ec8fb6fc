import { when } from '../../../shared/lists/when.ts'
import { bridgeDeploymentOf, environmentOf } from '../bridge-facts.ts'
import { type CheckedFunction, type CheckedSeed, objectsOf } from '../checked-seed.ts'
import { deployedNames, programsOf } from '../deployed-functions.ts'
import { type Diagnosis, type DoctorCheck, ok, problem, someOf, warning } from '../diagnosis.ts'
import type { ReadName } from '../reads.ts'
import { targetOf } from '../trigger-target.ts'

const again = 'apply its Deployment again from the manifests, chart or registration that installed it'

/** The checks of an installation without Knative, and of one that changes its mode. */
export const seedProcessChecks: readonly DoctorCheck[] = [
  {
    area: 'functions',
    about: 'functions of the seed process',
    needs: ['deployments'],
    mode: 'seed-process',
    run: seed => {
      const programs = programsOf(seed)
      if (programs === undefined)
        return [
          problem(
            'TRELLIS_PROGRAMS of the seed process is not a list of programs, so it does not start',
            again,
          ),
        ]
      const known = new Map(seed.functions.map(one => [one.name, one]))
      const deployed = programs.flatMap(({ functions }) => functions)
      const others = deployed.filter(({ name }) => !known.has(name)).map(({ name }) => name)
      const changed = deployed.filter(one => !isEqual(one, known.get(one.name) ?? one))
      const twice = [...Map.groupBy(deployed, ({ name }) => name)].filter(([, { length }]) => length > 1)
      return [
        ...when(
          seed.woken !== undefined,
          ok(
            '--wake is only for functions with Services of Knative: the seed process starts the programs of its functions itself',
          ),
        ),
        ok(
          `${deployed.length - others.length} of the ${known.size} functions of this version are in the seed process${others.length === 0 ? '' : `, and others: ${someOf(others)}`}`,
        ),
        ...when(
          changed.length > 0,
          problem(
            `the seed process has another kind or other types than this version for ${someOf(changed.map(({ name }) => name))}`,
            `${again}, and use the image seed of the same release`,
          ),
        ),
        ...when(
          twice.length > 0,
          problem(
            `two programs of the seed process have ${someOf(twice.map(([name]) => name))}`,
            `${again}: each function belongs to one program`,
          ),
        ),
      ]
    },
  },
  {
    area: 'functions',
    about: 'objects of Knative beside the seed process',
    needs: ['deployments', 'triggers', 'services', 'sinkBindings', 'brokers'],
    mode: 'seed-process',
    run: seed => [...sinkDiagnoses(seed), ...leftovers(seed)],
  },
  {
    area: 'bridge',
    about: 'two modes at once',
    needs: ['deployments'],
    run: seed => {
      const bridges = objectsOf(seed, 'deployments').filter(
        deployment => environmentOf(deployment).value('TRELLIS_SERVED') !== undefined,
      )
      const byMode = Map.groupBy(bridges, bridge =>
        environmentOf(bridge).value('TRELLIS_PROGRAMS') === undefined ? 'knative' : 'seed-process',
      )
      if (byMode.size < 2) return []
      const namesIn = (mode: 'knative' | 'seed-process') =>
        (byMode.get(mode) ?? []).map(({ metadata }) => metadata.name).join(' ')
      return [
        problem(
          `the Deployments of two modes run at once: ${namesIn('knative')} with Knative, ${namesIn('seed-process')} without`,
          `delete those of one mode: kubectl -n ${seed.namespace} delete deployment ${namesIn('knative')} (docs/seed-process.md)`,
        ),
      ]
    },
  },
]

const isEqual = (
  one: { readonly kind: string; readonly types: readonly string[] },
  other: Pick<CheckedFunction, 'types'> & { readonly kind: string },
): boolean => one.kind === other.kind && one.types.toSorted().join() === other.types.toSorted().join()

/** The seed process refuses to start with the address of a Broker, which a SinkBinding injects. */
const sinkDiagnoses = (seed: CheckedSeed): readonly Diagnosis[] => {
  const { name, deployment } = bridgeDeploymentOf(seed)
  const { value } = environmentOf(deployment)
  const set = ['K_SINK', 'TRELLIS_SINK'].filter(variable => value(variable) !== undefined)
  const bindings = objectsOf(seed, 'sinkBindings').map(({ metadata }) => metadata.name)
  const { namespace } = seed
  if (bindings.length > 0)
    return [
      problem(
        `the SinkBinding ${someOf(bindings)} gives the seed process the address of a Broker, so its next pod does not start`,
        `kubectl -n ${namespace} delete sinkbinding ${bindings.join(' ')}`,
      ),
    ]
  return when(
    set.length > 0,
    problem(
      `the Deployment ${name} has ${set.join(' and ')}, so the seed process does not start`,
      `kubectl -n ${namespace} set env deployment/${name} ${set.map(variable => `${variable}-`).join(' ')}`,
    ),
  )
}

const leftovers = (seed: CheckedSeed): readonly Diagnosis[] => {
  const own = new Set([...seed.functions.map(({ name }) => name), ...deployedNames(seed)])
  const triggers = objectsOf(seed, 'triggers').filter(trigger => own.has(targetOf(trigger).functionName))
  const services = new Set(triggers.map(trigger => targetOf(trigger).service))
  const brokers = new Set(triggers.map(trigger => targetOf(trigger).broker))
  const named = (read: ReadName, names: ReadonlySet<string>) =>
    objectsOf(seed, read)
      .map(({ metadata }) => metadata.name)
      .filter(name => names.has(name))
  const left = [
    ['trigger', triggers.map(({ metadata }) => metadata.name)],
    ['ksvc', named('services', new Set([...services, ...own]))],
    ['broker', named('brokers', brokers)],
  ] as const
  const found = left.filter(([, names]) => names.length > 0)
  if (found.length === 0) return []
  return [
    warning(
      `objects of the mode knative are left beside the seed process, which does not use them: ${found.map(([kind, names]) => `${names.length} ${kind}`).join(', ')}`,
      found
        .map(([kind, names]) => `kubectl -n ${seed.namespace} delete ${kind} ${names.join(' ')}`)
        .join('; '),
    ),
  ]
}
