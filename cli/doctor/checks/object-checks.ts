import { neededSince } from '../../../bridge/bridge.ts'
import { parseTimestamp, type Timestamp } from '../../../shared/clock/clock.ts'
import { annotations } from '../../../shared/contract/constants.ts'
import { type KindName, kindNames } from '../../../shared/contract/kinds.ts'
import { pauseOf } from '../../../shared/contract/pause.ts'
import { parseStepAnnotation } from '../../../shared/contract/step-annotation.ts'
import { recordOf, stringOf } from '../../../shared/decode/record-of.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import {
  dueWorkOf,
  factsOf,
  unknownOperationOf,
  unknownOperationText,
  withShootPause,
} from '../../../shared/lifecycle/lifecycle.ts'
import { countedKinds, pluralTitle } from '../../../shared/text/plural-title.ts'
import { type CheckedSeed, objectsOf, serverNow } from '../checked-seed.ts'
import { listOf } from '../conditions.ts'
import { isServedIn, modeOf } from '../deployed-functions.ts'
import { type Diagnosis, type DoctorCheck, ok, problem, someOf, warning } from '../diagnosis.ts'

/** Longer than an event, its repeats and a cold start together. */
const patienceMs = 300_000

interface WaitingObject {
  readonly name: string
  readonly object: KubernetesObject
  readonly since: Timestamp
  /** A step had claimed it, and the claim has expired. */
  readonly stepOver: boolean
}

const idOf = ({ kind, metadata: { namespace, name } }: KubernetesObject) =>
  `${kind.toLowerCase()}/${namespace === undefined ? '' : `${namespace}/`}${name}`

const typeOf = ({ spec }: KubernetesObject) => stringOf(recordOf(spec).type)

/** Returns the objects that have been due for too long. */
const waitingOf = (kind: KindName, seed: CheckedSeed): readonly WaitingObject[] => {
  const now = serverNow(seed)
  const pauses = new Map(
    objectsOf(seed, 'clusters').map(({ metadata }) => [metadata.name, pauseOf(metadata)]),
  )
  return objectsOf(seed, kind).flatMap(object => {
    const pause = pauses.get(object.metadata.namespace ?? '')
    const facts = withShootPause(kind, factsOf(object), pause, now)
    const work = dueWorkOf(kind, facts, now)
    if (work.kind !== 'emit') return []
    const step = work.timed ? facts.step : undefined
    const since = parseTimestamp(step?.until) ?? neededSince(object, facts, work, now) ?? now
    return now - since < patienceMs
      ? []
      : [{ name: idOf(object), object, since, stepOver: step !== undefined }]
  })
}

const longest = (waiting: readonly WaitingObject[], now: Timestamp): string => {
  const minutes = Math.round((now - Math.min(...waiting.map(({ since }) => since))) / 60_000)
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`
}

const namesOf = (waiting: readonly WaitingObject[]) =>
  someOf(
    waiting.toSorted((a, b) => a.since - b.since).map(({ name }) => name),
    3,
  )

/**
 * Returns true for objects of a kind that Trellis serves. Where that is not known, every object counts: an error must
 * be reported even if its owner is unknown.
 */
const isOwnIn = (seed: CheckedSeed, kind: KindName): ((object: KubernetesObject) => boolean) => {
  const { deployments, triggers } = seed.reads
  if (deployments.kind !== 'objects' && triggers.kind !== 'objects') return () => true
  const isServed = isServedIn(seed)
  return object => isServed({ ...object, kind }) !== false
}

/** The part of an installation that selects the objects of a function. */
const routeIn = (seed: CheckedSeed): string =>
  modeOf(seed) === 'seed-process' ? 'function of the seed process' : 'Trigger'

export const objectChecks: readonly DoctorCheck[] = kindNames.flatMap((kind): readonly DoctorCheck[] => [
  {
    area: 'objects',
    about: `stuck ${pluralTitle(kind)}`,
    needs: [kind],
    run: seed => {
      const isOwn = isOwnIn(seed, kind)
      const now = serverNow(seed)
      const all = waitingOf(kind, seed)
      const own = all.filter(({ object }) => isOwn(object))
      const foreign = all.filter(({ object }) => !isOwn(object))
      const over = own.filter(({ stepOver }) => stepOver)
      const fresh = own.filter(({ stepOver }) => !stepOver)
      const status = 'trellis status shows why each one waits (a failed shoot blocks its objects)'
      const found: Diagnosis[] = []
      if (over.length > 0)
        found.push(
          problem(
            `${countedKinds(over.length, kind)} ${over.length === 1 ? 'has' : 'have'} a step that is overdue, by up to ${longest(over, now)}: ${namesOf(over)}`,
            `${status}; kubectl -n ${seed.namespace} logs of the bridge and of the function`,
          ),
        )
      if (fresh.length > 0)
        found.push(
          problem(
            `${countedKinds(fresh.length, kind)} ${fresh.length === 1 ? 'waits for its' : 'wait for their'} first step, for up to ${longest(fresh, now)}: ${namesOf(fresh)}`,
            status,
          ),
        )
      if (foreign.length > 0) {
        const types = [...new Set(foreign.map(({ object }) => typeOf(object)))]
        found.push(
          warning(
            `${countedKinds(foreign.length, kind)} of type ${someOf(types)} ${foreign.length === 1 ? 'waits' : 'wait'}, for up to ${longest(foreign, now)}, and Trellis does not serve ${foreign.length === 1 ? 'it' : 'them'}: ${namesOf(foreign)}`,
            'deploy the function for that type, or check why the extension for that type does not act',
          ),
        )
      }
      const number = objectsOf(seed, kind).filter(isOwn).length
      return found.length > 0 || number === 0 ? found : [ok(`none of ${countedKinds(number, kind)} is stuck`)]
    },
  },
  {
    area: 'objects',
    about: `${pluralTitle(kind)} in Error`,
    needs: [kind],
    run: seed => {
      const isOwn = isOwnIn(seed, kind)
      const all = objectsOf(seed, kind)
      return [
        ...errorDiagnoses(kind, all.filter(isOwn)),
        ...foreignErrors(
          kind,
          all.filter(one => !isOwn(one)),
        ),
      ]
    },
  },
  {
    area: 'objects',
    about: `${pluralTitle(kind)} with an unknown operation`,
    needs: [kind],
    run: seed =>
      objectsOf(seed, kind).flatMap(object => {
        const value = unknownOperationOf(object)
        if (value === undefined) return []
        return [
          problem(
            `${idOf(object)}: ${unknownOperationText(value)}`,
            `if this is intended: trellis reconcile ${idOf(object)}; gardenlet sets the annotation by itself`,
          ),
        ]
      }),
  },
  {
    area: 'other extensions',
    about: `writers of ${pluralTitle(kind)}`,
    needs: [kind, 'triggers', 'deployments'],
    run: seed => {
      const isServed = isServedIn(seed)
      const shared = objectsOf(seed, kind).flatMap(object => {
        const other = otherWriterOf(object)
        // An object that was handed back retains the annotation, which has no effect then.
        return other === undefined || isServed({ ...object, kind }) !== true
          ? []
          : [{ name: idOf(object), other }]
      })
      const [first] = shared
      return first === undefined
        ? []
        : [
            problem(
              `${countedKinds(shared.length, kind)} ${shared.length === 1 ? 'was' : 'were'} written by ${first.other} after a step of Trellis: ${someOf(
                shared.map(({ name }) => name),
                3,
              )}`,
              `run only one of the two: disable the controller there (docs/beside-go.md), or remove the ${routeIn(seed)} here`,
            ),
          ]
    },
  },
])

/** The most error texts that doctor prints for a kind. Equal texts count as one cause. */
const mostTexts = 3
const longestText = 200

/**
 * Reports objects with a failed last operation, with their most frequent errors. `lastError` remains until a success:
 * an object that is retried is mostly Processing, and one that cannot remove its finalizer is Succeeded.
 */
const errorDiagnoses = (kind: KindName, objects: readonly KubernetesObject[]): readonly Diagnosis[] => {
  const broken = objects.filter(hasError)
  const byText = [...Map.groupBy(broken, lastErrorText)].toSorted(([, a], [, b]) => b.length - a.length)
  const causes = byText
    .slice(0, mostTexts)
    .map(([text, group]) =>
      problem(
        `${group.length} of ${countedKinds(objects.length, kind)} ${group.every(isInError) ? 'in Error' : 'with an error that is retried'}: ${someOf(group.map(idOf), 3)}: ${text}`,
        `${describeCommand(group[0])}; trellis status says who has to act, and when it is retried`,
      ),
    )
  const others = byText.slice(mostTexts)
  const [rest] = others.flatMap(([, group]) => group)
  return rest === undefined
    ? causes
    : [
        ...causes,
        problem(
          `${others.flatMap(([, group]) => group).length} of ${countedKinds(objects.length, kind)} with ${others.length} other errors`,
          `${describeCommand(rest)}; for the texts: kubectl get events -A --field-selector reason=StepFailed`,
        ),
      ]
}

const hasError = (object: KubernetesObject): boolean =>
  isInError(object) || recordOf(object.status).lastError != null

/** Reports failed objects that no function of this seed serves: another extension, or a missing Trigger. */
const foreignErrors = (kind: KindName, objects: readonly KubernetesObject[]): readonly Diagnosis[] => {
  const broken = objects.filter(hasError)
  const [first] = broken
  if (first === undefined) return []
  const types = [...new Set(broken.map(typeOf))]
  return [
    warning(
      `${countedKinds(broken.length, kind)} of type ${someOf(types)} in Error, and Trellis does not serve ${broken.length === 1 ? 'it' : 'them'}: ${someOf(broken.map(idOf), 3)}: ${lastErrorText(first)}`,
      'look at the extension for that type, or deploy the function for it; trellis status shows every error',
    ),
  ]
}

const isInError = ({ status }: KubernetesObject): boolean => {
  const { state } = recordOf(recordOf(status).lastOperation)
  return state === 'Error' || state === 'Failed'
}

const lastErrorText = ({ status }: KubernetesObject): string => {
  const { description, codes } = recordOf(recordOf(status).lastError)
  const [line = ''] = stringOf(description).split('\n')
  const shown = line.length > longestText ? `${line.slice(0, longestText)}…` : line
  const named = listOf(codes).map(stringOf)
  return `${named.length === 0 ? '' : `${named.join(', ')}: `}${shown || 'no lastError'}`
}

const describeCommand = (object: KubernetesObject | undefined): string => {
  if (object === undefined) return ''
  const { namespace, name } = object.metadata
  return `kubectl${namespace === undefined ? '' : ` -n ${namespace}`} describe ${object.kind.toLowerCase()} ${name}`
}

/**
 * Returns the Go extension that wrote the object after a step of Trellis had claimed it. A Go program appears among the
 * field managers by its own name, unless it sets another one.
 */
const otherWriterOf = ({ metadata }: KubernetesObject): string | undefined => {
  const step = parseStepAnnotation(metadata.annotations?.[annotations.step])
  if (step === undefined) return undefined
  const began = (parseTimestamp(step.until) ?? 0) - (step.durationMs ?? 0)
  return (
    listOf(metadata.managedFields)
      .map(recordOf)
      .filter(({ time }) => (parseTimestamp(stringOf(time)) ?? 0) > began)
      // Conditions may belong to another writer.
      .filter(({ fieldsV1 }) => JSON.stringify(fieldsV1 ?? {}).includes('"f:lastOperation"'))
      .map(({ manager }) => stringOf(manager))
      .find(manager => manager.startsWith('gardener-extension-'))
  )
}
