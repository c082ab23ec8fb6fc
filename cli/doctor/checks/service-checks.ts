import { recordOf, stringOf } from '../../../shared/decode/record-of.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { when } from '../../../shared/lists/when.ts'
import { type CheckedSeed, objectsOf, serverNow } from '../checked-seed.ts'
import { conditionOf, conditionText, listOf, whyNotReady, whyStale } from '../conditions.ts'
import { type Diagnosis, type DoctorCheck, ok, problem, someOf } from '../diagnosis.ts'
import { lastStepOf } from '../last-step.ts'
import { podReasons, podsOfNewestRevision, podsOfService } from '../pod-reasons.ts'

/** The words in errors of registries, kubelets and Knative's controller for a missing image. */
const imageWords =
  /image|registry|manifest unknown|unauthorized|denied|ErrImagePull|ImagePullBackOff|unable to fetch|ContainerMissing/i
const refusedWords = /unauthorized|denied|forbidden|401|403|authentication/i

const imageAdvice = (why: string, image: string, namespace: string, account: string): string =>
  refusedWords.test(why)
    ? `the registry refuses ${image}: create a Secret with its credentials and add it: kubectl -n ${namespace} patch serviceaccount ${account} -p '{"imagePullSecrets":[{"name":"NAME"}]}'; Knative retries with the next revision`
    : `check it: crane manifest ${image}. If the name or tag is wrong, set the chart's image values; if the registry is unavailable, Knative retries with the next revision`

const templateOf = ({ spec }: KubernetesObject) => {
  const { containers, serviceAccountName } = recordOf(recordOf(recordOf(spec).template).spec)
  const [container] = listOf(containers).map(recordOf)
  return { image: stringOf(container?.image), account: stringOf(serviceAccountName) || 'default' }
}

export const serviceChecks: readonly DoctorCheck[] = [
  {
    area: 'functions',
    about: 'readiness of the Services and their images',
    needs: ['services', 'pods'],
    run: seed => {
      const services = objectsOf(seed, 'services')
      const broken = services.filter(service => whyNotReadyIn(seed, service) !== undefined)
      const ready = services.length - broken.length
      return [
        ...(ready === 0 ? [] : [ok(`${ready} Services are ready`)]),
        ...broken.map(service => brokenService(service, seed)),
        ...asleep(
          services.filter(service => !broken.includes(service)),
          seed,
        ),
      ]
    },
  },
  {
    area: 'functions',
    about: 'starts from zero',
    needs: ['services', 'pods'],
    run: seed => startsFromZero(seed),
  },
  {
    area: 'functions',
    about: 'registries of the images',
    needs: ['services'],
    run: seed => {
      const nameless = objectsOf(seed, 'services').filter(service => !hasRegistry(templateOf(service).image))
      const [first] = nameless
      return first === undefined
        ? []
        : [
            problem(
              `${nameless.length} Services have an image without a registry (${templateOf(first).image}): it is pulled from a public registry, where anyone may have published it`,
              "set your registry: the chart's value for images, or trellis install --render manifests --registry",
            ),
          ]
    },
  },
]

/**
 * Returns why a function cannot work; undefined if it can, as far as known. Knative's Ready stays True while the pods
 * of a function that was at zero cannot start, so pods of the newest revision count as much.
 */
const whyNotReadyIn = (seed: CheckedSeed, service: KubernetesObject): string | undefined => {
  const { latestCreatedRevisionName: created, latestReadyRevisionName: ready } = recordOf(service.status)
  return (
    whyNotReady(service) ??
    (created !== undefined && ready !== undefined && created !== ready
      ? `its newest revision ${stringOf(created)} is not ready; ${stringOf(ready)} gets its events`
      : undefined) ??
    (podReasons(podsOfNewestRevision(seed, service), serverNow(seed)) || undefined)
  )
}

/** Reports the Services that were woken. */
const startsFromZero = (seed: CheckedSeed): readonly Diagnosis[] => {
  const results = [...(seed.woken ?? [])]
  const started = results.flatMap(([name, { kind, ...result }]) =>
    'afterMs' in result ? [{ name, afterMs: result.afterMs }] : [],
  )
  const [slowest] = started.toSorted((one, other) => other.afterMs - one.afterMs)
  const services = objectsOf(seed, 'services')
  return [
    ...(slowest === undefined
      ? []
      : [
          ok(
            `${started.length} Services started from zero for a test event; ${slowest.name} took the longest: ${Math.ceil(slowest.afterMs / 1000)} s`,
          ),
        ]),
    ...results.flatMap(([name, result]) => {
      const service = services.find(({ metadata }) => metadata.name === name)
      if (result.kind !== 'failed' || service === undefined) return []
      return [
        problem(
          `the function ${name} does not start from zero: ${result.why}`,
          adviceFor(service, result.why, imageWords.test(result.why), seed),
        ),
      ]
    }),
    ...[...Map.groupBy(results, ([, result]) => (result.kind === 'unknown' ? result.why : ''))].flatMap(
      ([why, group]): readonly Diagnosis[] =>
        when(why !== '', {
          state: 'skipped',
          text: `the start of ${someOf(group.map(([name]) => name))}: ${why}`,
          checks: group.length,
        }),
    ),
  ]
}

/** Says when the functions without pods have worked: that they could start then is all that is known of them. */
const asleep = (ready: readonly KubernetesObject[], seed: CheckedSeed): readonly Diagnosis[] => {
  const names = ready
    .map(({ metadata }) => metadata.name)
    .filter(name => podsOfService(seed, name).length === 0)
  if (names.length === 0) return []
  const steps = names.map(name => ({ name, last: lastStepOf(name, seed) }))
  const known = steps.flatMap(({ name, last }) => (last === undefined ? [] : [{ name, last }]))
  const [oldest] = known.toSorted((one, other) => one.last - other.last)
  const unknown = steps.filter(({ last }) => last === undefined).map(({ name }) => name)
  return [
    ok(
      [
        `${names.length} Services have no pod now, and start one for an event${seed.woken === undefined ? ' (--wake tries it)' : ''}`,
        ...(oldest === undefined
          ? []
          : [
              `${known.length} have last worked between ${ageText(serverNow(seed) - Math.max(...known.map(({ last }) => last)))} and ${ageText(serverNow(seed) - oldest.last)} ago (${oldest.name})`,
            ]),
        ...(unknown.length === 0 ? [] : [`no object shows a step of ${someOf(unknown)}`]),
      ].join('; '),
    ),
  ]
}

const ageText = (ms: number): string => {
  const minutes = Math.max(0, Math.round(ms / 60_000))
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`
}

/** Parses names as container runtimes do: the first part is a registry if it has a dot or a port, or is localhost. */
const hasRegistry = (image: string): boolean => {
  const [host = '', ...path] = image.split('/')
  return path.length > 0 && (host === 'localhost' || /[.:]/.test(host))
}

const brokenService = (service: KubernetesObject, seed: CheckedSeed): Diagnosis => {
  const { name } = service.metadata
  const conditions = ['ConfigurationsReady', 'Ready', 'RoutesReady'].map(type => conditionOf(service, type))
  const failed = conditions.find(condition => condition?.status === 'False')
  const condition = failed ?? conditionOf(service, 'Ready')
  const ofPods = podReasons(podsOfNewestRevision(seed, service), serverNow(seed))
  const said =
    whyStale(service) ??
    (condition?.status === 'True' ? (whyNotReadyIn(seed, service) ?? '') : conditionText(condition))
  const why = [...new Set([said, ofPods])].filter(text => text !== '').join('; ')
  const isImage = (failed !== undefined || ofPods !== '') && imageWords.test(why)
  return problem(`the function ${name} is not ready: ${why}`, adviceFor(service, why, isImage, seed))
}

const adviceFor = (
  service: KubernetesObject,
  why: string,
  isImage: boolean,
  { namespace }: CheckedSeed,
): string => {
  const { name } = service.metadata
  const { image, account } = templateOf(service)
  return isImage
    ? imageAdvice(why, image, namespace, account)
    : `kubectl -n ${namespace} describe revision -l serving.knative.dev/service=${name}, and the log of its pod: kubectl -n ${namespace} logs -l serving.knative.dev/service=${name} -c function`
}
