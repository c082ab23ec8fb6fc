import { recordOf, stringOf } from '../../../shared/decode/record-of.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { type CheckedFunction, type CheckedSeed, objectsOf } from '../checked-seed.ts'
import { listOf } from '../conditions.ts'
import { deployedNames, modeOf } from '../deployed-functions.ts'
import { type DoctorCheck, ok, problem, someOf } from '../diagnosis.ts'

const prefix = 'gardener-extension-'

export const otherExtensionChecks: readonly DoctorCheck[] = [
  {
    area: 'other extensions',
    about: 'other controllers for the same objects',
    needs: ['extensionDeployments', 'triggers'],
    run: seed => {
      const names = deployedNames(seed)
      const deployed = seed.functions.filter(({ name }) => names.has(name))
      const others = objectsOf(seed, 'extensionDeployments').filter(
        ({ metadata: { name, namespace } }) => namespace !== seed.namespace && name.startsWith(prefix),
      )
      const found = others.filter(runs).flatMap(other => {
        const shared = deployed.filter(
          one => isFor(other, one) && !disabledIn(other).includes(one.kind.toLowerCase()),
        )
        if (shared.length === 0) return []
        const { name, namespace } = other.metadata
        const controllers = shared.map(({ kind }) => kind.toLowerCase())
        return [
          problem(
            `${namespace}/${name} runs beside ${someOf(shared.map(one => one.name))} for the same objects: both would change them`,
            `disable its controllers in the values of its ControllerDeployment (disableControllers: [${controllers.join(', ')}]; docs/beside-go.md), or remove the functions: ${removal(seed, shared)}`,
          ),
        ]
      })
      return found.length > 0 ? found : [ok('no other controller works on the same objects')]
    },
  },
]

const removal = (seed: CheckedSeed, functions: readonly CheckedFunction[]): string =>
  modeOf(seed) === 'seed-process'
    ? 'install the seed process again without them'
    : `kubectl -n ${seed.namespace} delete trigger ${functions.map(({ name }) => name).join(' ')}`

const runs = ({ spec }: KubernetesObject): boolean => Number(recordOf(spec).replicas ?? 1) > 0

/**
 * `gardener-extension-provider-aws` is for objects of `aws-…`, `gardener-extension-os-suse-chost` for those of
 * `suse-chost-…`.
 */
const isFor = ({ metadata: { name } }: KubernetesObject, { name: own, kind }: CheckedFunction): boolean => {
  const provider = own.replace(new RegExp(`-${kind.toLowerCase()}(-.*)?$`), '')
  return `-${name.slice(prefix.length)}-`.includes(`-${provider}-`)
}

/** Controllers of the Go library are named after their kinds, in lower case (gardener extensions/pkg/controller). */
const disabledIn = ({ spec }: KubernetesObject): readonly string[] => {
  const containers = listOf(recordOf(recordOf(recordOf(spec).template).spec).containers).map(recordOf)
  return containers
    .flatMap(({ command, args }) => [...listOf(command), ...listOf(args)].map(stringOf))
    .flatMap(word => /^--disable-controllers=(.*)$/.exec(word)?.[1]?.split(',') ?? [])
    .map(name => name.trim().replace(/[-_]?controller$/, ''))
}
