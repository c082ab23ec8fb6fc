import { recordOf, stringOf } from '../../../shared/decode/record-of.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { type CheckedSeed, objectsOf } from '../checked-seed.ts'
import { conditionOf, isReady, listOf, whyNotReady } from '../conditions.ts'
import { type Diagnosis, type DoctorCheck, ok, problem } from '../diagnosis.ts'
import { podReasons, podsOfService } from '../pod-reasons.ts'

/** The words in errors of registries, kubelets and Knative's controller for a missing image. */
const imageWords =
  /image|registry|manifest unknown|unauthorized|denied|ErrImagePull|ImagePullBackOff|unable to fetch|ContainerMissing/i
const refusedWords = /unauthorized|denied|forbidden|401|403|authentication/i

/** Returns one line of advice for an error of a registry. */
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
    needs: ['services'],
    run: seed => {
      const services = objectsOf(seed, 'services')
      const broken = services.filter(service => !isReady(service))
      const ready = services.length - broken.length
      return [
        ...(ready === 0 ? [] : [ok(`${ready} Services are ready`)]),
        ...broken.map(service => brokenService(service, seed)),
      ]
    },
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

/** Parses names as container runtimes do: the first part is a registry if it has a dot or a port, or is localhost. */
const hasRegistry = (image: string): boolean => {
  const [host = '', ...path] = image.split('/')
  return path.length > 0 && (host === 'localhost' || /[.:]/.test(host))
}

const brokenService = (service: KubernetesObject, seed: CheckedSeed): Diagnosis => {
  const { name } = service.metadata
  const { image, account } = templateOf(service)
  const conditions = ['ConfigurationsReady', 'Ready', 'RoutesReady'].map(type => conditionOf(service, type))
  const failed = conditions.find(condition => condition?.status === 'False')
  const condition = failed ?? conditionOf(service, 'Ready')
  const ofPods = podReasons(podsOfService(seed, name))
  const why = [whyNotReady(condition), ofPods].filter(text => text !== '').join('; ')
  return problem(
    `the function ${name} is not ready: ${why}`,
    (failed !== undefined || ofPods !== '') && imageWords.test(why)
      ? imageAdvice(why, image, seed.namespace, account)
      : `kubectl -n ${seed.namespace} describe revision -l serving.knative.dev/service=${name}, and the log of its pod: kubectl -n ${seed.namespace} logs -l serving.knative.dev/service=${name} -c function`,
  )
}
