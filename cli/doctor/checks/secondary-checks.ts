import { secondaryPrefix } from '../../../shared/contract/constants.ts'
import { kindNames, kinds } from '../../../shared/contract/kinds.ts'
import { recordOf, recordsOf, stringOf } from '../../../shared/decode/record-of.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { countedKinds, pluralTitle } from '../../../shared/text/plural-title.ts'
import { objectsOf } from '../checked-seed.ts'
import { deployedNames } from '../deployed-functions.ts'
import { type DoctorCheck, problem, someOf, warning } from '../diagnosis.ts'

/** The names of the secondary functions with a finalizer on an object. */
const holdersOf = ({ metadata: { finalizers = [] } }: KubernetesObject): readonly string[] =>
  finalizers
    .filter(finalizer => finalizer.startsWith(secondaryPrefix))
    .map(finalizer => finalizer.slice(secondaryPrefix.length))

const nameOf = ({ metadata: { namespace, name } }: KubernetesObject): string =>
  namespace === undefined ? name : `${namespace}/${name}`

export const secondaryChecks: readonly DoctorCheck[] = [
  ...kindNames.map(
    (kind): DoctorCheck => ({
      area: 'objects',
      about: `finalizers of secondary functions on ${pluralTitle(kind)}`,
      needs: [kind],
      run: seed => {
        // Other checks say why they could not be read.
        if (seed.reads.triggers.kind !== 'objects' || seed.reads.deployments.kind !== 'objects') return []
        const deployed = deployedNames(seed)
        const held = objectsOf(seed, kind).flatMap(object =>
          holdersOf(object)
            .filter(holder => !deployed.has(holder))
            .map(holder => ({ object, holder })),
        )
        return [...Map.groupBy(held, ({ holder }) => holder)].map(([holder, group]) => {
          const blocked = group.filter(({ object }) => object.metadata.deletionTimestamp !== undefined)
          const [first] = blocked.length > 0 ? blocked : group
          const { namespace, name } = first?.object.metadata ?? { name: '' }
          const at = namespace === undefined ? '' : ` -n ${namespace}`
          const mark = `${secondaryPrefix}${holder}`
          const advice = `deploy ${holder} again, so that it cleans up; or, if nothing of it is left, remove ${mark} from metadata.finalizers: kubectl${at} edit ${kinds[kind].singular} ${name}`
          const about = `the finalizer of the secondary function ${holder}, which is not deployed`
          const names = (all: typeof group) =>
            someOf(
              all.map(({ object }) => nameOf(object)),
              3,
            )
          return blocked.length > 0
            ? problem(
                `the deletion of ${countedKinds(blocked.length, kind)} waits for ${about}: ${names(blocked)}`,
                advice,
              )
            : warning(`${countedKinds(group.length, kind)} with ${about}: ${names(group)}`, advice)
        })
      },
    }),
  ),
  {
    area: 'other extensions',
    about: 'primary registrations',
    // Absent in a seed.
    needs: [],
    run: seed => {
      const primary = objectsOf(seed, 'registrations').flatMap(({ metadata, spec }) =>
        recordsOf(recordOf(spec).resources)
          .filter(resource => resource.primary !== false)
          .map(({ kind, type }) => ({
            name: metadata.name,
            pair: `${stringOf(kind)} of type ${stringOf(type)}`,
          })),
      )
      return [...Map.groupBy(primary, ({ pair }) => pair)].flatMap(([pair, group]) => {
        const names = [...new Set(group.map(({ name }) => name))]
        return names.length < 2
          ? []
          : [
              problem(
                `${pair} has ${names.length} primary ControllerRegistrations: ${someOf(names)}. Both controllers write lastOperation`,
                "delete all but one, or install the others as secondary functions (role: 'secondary', docs/secondary.md)",
              ),
            ]
      })
    },
  },
]
