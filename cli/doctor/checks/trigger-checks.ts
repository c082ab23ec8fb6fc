import { when } from '../../../shared/lists/when.ts'
import { type CheckedFunction, type CheckedSeed, objectsOf } from '../checked-seed.ts'
import { whyNotReady } from '../conditions.ts'
import { type Diagnosis, type DoctorCheck, ok, problem, someOf, warning } from '../diagnosis.ts'
import { type TriggerTarget, targetOf } from '../trigger-target.ts'

const needs = ['triggers', 'services'] as const

const targetsIn = (seed: CheckedSeed): readonly TriggerTarget[] => objectsOf(seed, 'triggers').map(targetOf)

const pairsOf = ({ kind, types }: CheckedFunction) => types.map(provider => ({ kind, provider }))

const asText = ({ kind, provider }: { readonly kind: string; readonly provider: string }) =>
  `${kind} of type ${provider}`

/**
 * The advice does not apply the file itself. The Service in it names an image without a registry, which would replace
 * the running image. A function of another author has no such file.
 */
const apply = (name: string, { functions }: Pick<CheckedSeed, 'functions'>) =>
  `apply the objects of ${name} again from the manifests, chart or registration that installed it${
    functions.some(one => one.name === name)
      ? `; knative/base/functions/${name}.yaml lists them`
      : ' (trellis install --render manifests renders them from the folder of its functions)'
  }`

export const triggerChecks: readonly DoctorCheck[] = [
  {
    area: 'functions',
    about: 'deployed functions',
    needs,
    run: seed => {
      const names = new Set(seed.functions.map(({ name }) => name))
      const deployed = targetsIn(seed).map(({ functionName }) => functionName)
      const own = deployed.filter(name => names.has(name))
      const others = deployed.filter(name => !names.has(name))
      return deployed.length === 0
        ? [
            problem(
              `the namespace ${seed.namespace} has no Trigger: no function is deployed there`,
              'install Trellis (docs/installing.md), or give its namespace: trellis doctor --namespace',
            ),
          ]
        : [
            ok(
              `${own.length} of the ${names.size} functions of this version are deployed${others.length === 0 ? '' : `, and others: ${someOf(others)}`}`,
            ),
          ]
    },
  },
  {
    area: 'functions',
    about: 'a Trigger for each function',
    needs,
    run: seed => {
      const reached = new Set(targetsIn(seed).flatMap(({ functionName, service }) => [functionName, service]))
      const known = new Set(seed.functions.map(({ name }) => name))
      return objectsOf(seed, 'services')
        .map(({ metadata }) => metadata.name)
        .filter(name => known.has(name) && !reached.has(name))
        .map(name =>
          problem(
            `the function ${name} is deployed but has no Trigger, so it receives no events`,
            apply(name, seed),
          ),
        )
    },
  },
  {
    area: 'functions',
    about: 'subscribers of Triggers',
    needs,
    run: seed => {
      const services = new Set(objectsOf(seed, 'services').map(({ metadata }) => metadata.name))
      return targetsIn(seed)
        .filter(({ service }) => service !== '' && !services.has(service))
        .map(({ trigger: { metadata }, service, functionName }) =>
          problem(
            `the Trigger ${metadata.name} refers to the Service ${service}, which does not exist`,
            `${apply(functionName, seed)}; or if you have removed the function: kubectl -n ${seed.namespace} delete trigger ${metadata.name}`,
          ),
        )
    },
  },
  {
    area: 'functions',
    about: 'readiness of Triggers',
    needs,
    run: seed => {
      const broken = targetsIn(seed).flatMap(({ trigger }) => {
        const why = whyNotReady(trigger)
        return why === undefined ? [] : [{ trigger, why }]
      })
      const ready = objectsOf(seed, 'triggers').length - broken.length
      return [
        ...(ready === 0 ? [] : [ok(`${ready} Triggers are ready`)]),
        ...broken.map(({ trigger, why }) =>
          problem(
            `the Trigger ${trigger.metadata.name} is not ready: ${why}`,
            `kubectl -n ${seed.namespace} describe trigger ${trigger.metadata.name}`,
          ),
        ),
      ]
    },
  },
  {
    area: 'functions',
    about: 'filters of Triggers',
    needs,
    run: seed => {
      const byName = new Map(seed.functions.map(one => [one.name, one]))
      return targetsIn(seed).flatMap(target => {
        const definition = byName.get(target.functionName)
        return definition === undefined ? [] : filterDiagnoses(target, definition, seed)
      })
    },
  },
  {
    area: 'functions',
    about: 'Triggers with the same events',
    needs,
    run: seed => {
      const targets = targetsIn(seed)
      return seed.functions.flatMap(pairsOf).flatMap(pair => {
        const names = targets
          .filter(({ passes }) => passes?.(pair))
          .map(({ trigger }) => trigger.metadata.name)
        return when(
          names.length >= 2,
          problem(
            `${asText(pair)} has ${names.length} Triggers: ${someOf(names)}. All of them get each event, but only one can claim the object`,
            `delete the Triggers that must not get it: kubectl -n ${seed.namespace} delete trigger NAME`,
          ),
        )
      })
    },
  },
]

/** Reports an event that the Trigger should pass but does not, and one that it should not. */
const filterDiagnoses = (
  { trigger: { metadata }, passes, functionName }: TriggerTarget,
  definition: CheckedFunction,
  seed: CheckedSeed,
): readonly Diagnosis[] => {
  if (passes === undefined)
    return [
      warning(
        `the Trigger ${metadata.name} has a filter that trellis doctor cannot evaluate`,
        `compare it with knative/base/functions/${functionName}.yaml`,
      ),
    ]
  const missed = pairsOf(definition).filter(pair => !passes(pair))
  const foreign = seed.functions
    .filter(({ name }) => name !== definition.name)
    .flatMap(pairsOf)
    .filter(pair => passes(pair) && !pairsOf(definition).some(own => asText(own) === asText(pair)))
  const advice = `${apply(functionName, seed)}: the definition of the function generates its filter`
  return [
    ...(missed.length === 0
      ? []
      : [problem(`the Trigger ${metadata.name} does not pass ${someOf(missed.map(asText))}`, advice)]),
    ...when(
      foreign.length > 0,
      problem(
        `the Trigger ${metadata.name} passes events that its function does not serve: ${someOf(foreign.map(asText))}`,
        advice,
      ),
    ),
  ]
}
