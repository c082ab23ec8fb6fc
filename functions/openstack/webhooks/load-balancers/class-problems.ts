import { type Problem, problemsInEach, shown } from '../../../../shared/decode/problems.ts'
import { when } from '../../../../shared/lists/when.ts'
import {
  formats,
  formProblems,
  type LoadBalancerClass,
} from '../../../../terraform-free-infra/openstack/account/config/config.ts'

const purposes = ['default', 'private', 'vpn']

/**
 * Returns the problems of classes of load balancers, in a CloudProfile or in a shoot
 * (docs/contract/provider-openstack.md#admission).
 *
 * @param path that of the list
 */
export const classProblems = (path: string, classes: readonly LoadBalancerClass[]): readonly Problem[] => {
  const names = new Set<string>()
  return [
    ...problemsInEach(classes, (one, index) => {
      const isTwice = names.has(one.name)
      names.add(one.name)
      return [
        ...fieldProblems(`${path}[${index}]`, one),
        ...when(isTwice, {
          path: `${path}[${index}].name`,
          message: `expected each class only once, found ${shown(one.name)} again`,
          kind: 'duplicate' as const,
        }),
      ]
    }),
    ...['default', 'private'].flatMap(purpose =>
      when(classes.filter(one => one.purpose === purpose || one.name === purpose).length > 1, {
        path,
        message: `expected at most one ${purpose} class, by purpose or name`,
      }),
    ),
  ]
}

const fieldProblems = (path: string, one: LoadBalancerClass): readonly Problem[] => {
  const { purpose, floatingSubnetID, floatingSubnetName, floatingSubnetTags } = one
  const named = Object.entries({ floatingSubnetID, floatingSubnetName, floatingSubnetTags }).flatMap(
    ([name, value]) => (value === undefined ? [] : [name]),
  )
  return [
    ...when(purpose !== undefined && !purposes.includes(purpose), {
      path,
      message: 'expected the purpose default or private',
    }),
    ...formProblems(`${path}.floatingNetworkID`, one.floatingNetworkID, formats.id),
    ...formProblems(`${path}.floatingSubnetID`, floatingSubnetID, formats.id),
    ...formProblems(`${path}.name`, one.name, formats.name),
    ...formProblems(`${path}.floatingSubnetName`, floatingSubnetName, formats.name),
    ...formProblems(`${path}.floatingSubnetTags`, floatingSubnetTags, formats.name),
    ...when(named.length > 1, {
      path,
      message: `expected one way to select the floating subnet, found ${named.join(', ')}`,
      kind: 'forbidden' as const,
    }),
  ]
}
