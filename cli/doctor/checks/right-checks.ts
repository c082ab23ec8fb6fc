import { permissionName } from '../../../shared/kubernetes/kubernetes.ts'
import { when } from '../../../shared/lists/when.ts'
import type { AskedRight, CheckedSeed } from '../checked-seed.ts'
import { type DoctorCheck, ok, problem, someOf, warning } from '../diagnosis.ts'
import { type ReadName, seedReads } from '../reads.ts'

const rightName = ({ verb, group, resource, namespace, name }: AskedRight): string => {
  const [plural = '', ...subresource] = resource.split('/')
  const full = [group === '' ? plural : `${plural}.${group}`, ...subresource].join('/')
  return `${verb} ${full}${name === undefined ? '' : ` ${name}`}${namespace === undefined ? '' : ` in ${namespace}`}`
}

const canI = ({ verb, resource, group, namespace }: AskedRight, account: string): string => {
  const [plural, subresource] = resource.split('/')
  return `kubectl auth can-i ${verb} ${plural}${group === '' ? '' : `.${group}`}${subresource === undefined ? '' : ` --subresource ${subresource}`}${namespace === undefined ? ' -A' : ` -n ${namespace}`} --as ${account}`
}

export const rightChecks: readonly DoctorCheck[] = [
  {
    area: 'rights',
    about: 'permissions of the ServiceAccounts',
    needs: [],
    run: seed => {
      const byAccount = [...Map.groupBy(seed.rights, ({ account }) => account)]
      const found = byAccount.flatMap(([account, rights]) => {
        const missing = rights.filter(({ allowed }) => allowed === false)
        const [first] = missing
        if (first === undefined) return []
        return [
          problem(
            `the ServiceAccount ${account} may not ${someOf(missing.map(rightName))}`,
            `apply the ClusterRole and binding of ${account} again; its definition generates them; check: ${canI(first, `system:serviceaccount:${seed.namespace}:${account}`)}`,
          ),
        ]
      })
      const good = byAccount.filter(([, rights]) => rights.every(({ allowed }) => allowed === true))
      const unknown = byAccount.filter(([, rights]) => rights.some(({ allowed }) => allowed === undefined))
      return [
        ...(good.length === 0
          ? []
          : [ok(`${good.length} ServiceAccounts have all permissions that they need`)]),
        ...found,
        ...when(unknown.length > 0, {
          state: 'skipped' as const,
          text: `permissions of ${someOf(unknown.map(([account]) => account))}: the API server could not be asked`,
          ...(unknown.every(([, rights]) => rights.every(({ unchecked }) => unchecked)) && {
            needless: true,
          }),
          advice: 'you need the permission: create subjectaccessreviews.authorization.k8s.io',
        }),
      ]
    },
  },
  {
    area: 'rights',
    about: 'your permissions',
    needs: [],
    run: ({ reads }: CheckedSeed) => {
      const refused = (Object.keys(seedReads) as ReadName[]).filter(name => reads[name].kind === 'forbidden')
      const names = [...new Set(refused.map(name => permissionName('list', seedReads[name].resource)))]
      return when(
        names.length > 0,
        warning(
          `you may not ${someOf(names)}: the checks that need it are skipped`,
          'ask for a binding to the ClusterRole of docs/operations.md#trellis-doctor',
        ),
      )
    },
  },
]
