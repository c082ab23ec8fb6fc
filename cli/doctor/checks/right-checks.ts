import { permissionName } from '../../../shared/kubernetes/kubernetes.ts'
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
    about: 'what accounts may do',
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
            `apply the ClusterRole and binding of ${account} again, which its definition makes; ${canI(first, `system:serviceaccount:${seed.namespace}:${account}`)} shows it`,
          ),
        ]
      })
      const good = byAccount.filter(([, rights]) => rights.every(({ allowed }) => allowed === true))
      const unknown = byAccount.filter(([, rights]) => rights.some(({ allowed }) => allowed === undefined))
      return [
        ...(good.length === 0 ? [] : [ok(`${good.length} ServiceAccounts may do all that they need`)]),
        ...found,
        ...(unknown.length === 0
          ? []
          : [
              {
                state: 'skipped' as const,
                text: `what ${someOf(unknown.map(([account]) => account))} may do: it could not be asked`,
                advice: 'you need: create subjectaccessreviews.authorization.k8s.io',
              },
            ]),
      ]
    },
  },
  {
    area: 'rights',
    about: 'what you may read',
    needs: [],
    run: ({ reads }: CheckedSeed) => {
      const refused = (Object.keys(seedReads) as ReadName[]).filter(name => reads[name].kind === 'forbidden')
      const names = [...new Set(refused.map(name => permissionName('list', seedReads[name].resource)))]
      return names.length === 0
        ? []
        : [
            warning(
              `you may not ${someOf(names)}: the checks that need it are left out`,
              'have the ClusterRole of docs/operations.md#trellis-doctor bound to you',
            ),
          ]
    },
  },
]
