import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { inEachRow, type WorldException, type WorldRow } from '../oracle/oracle.ts'

/**
 * Differences between a random world and a new one, beside those of every world with a past.
 *
 * @param awake the namespaces of shoots that are not hibernated
 */
export const randomExceptions = (awake: readonly string[]): readonly WorldException[] => [
  {
    why: 'the cloud has the machines, too, and their names and addresses depend on former ones',
    rows: leftOut(/^seed \S+ (?:Machine|MachineSet) | Node /),
  },
  {
    why: 'the machine controller reports its past, and omits a number of zero',
    rows: inEachRow(row => {
      if (!/ MachineDeployment /.test(row.place)) return row
      const { metadata, spec, status: _, ...object } = Object(row.value)
      const { annotations, ...own } = Object(metadata)
      const lasting = { ...annotations, 'deployment.kubernetes.io/revision': '' }
      return {
        ...row,
        value: { ...object, metadata: { ...own, annotations: lasting }, spec: { replicas: 0, ...spec } },
      }
    }),
  },
  {
    why: 'the machine controller does not run in a hibernated shoot: it finishes deletions after the shoot has woken up',
    rows: inEachRow(row =>
      isOfMachines(row) && !awake.some(namespace => row.place.includes(` ${namespace}/`)) ? undefined : row,
    ),
  },
  {
    why: 'gardenlet itself writes these objects',
    rows: leftOut(
      / Cluster | Secret \S+\/gardener(?:-internal)?$| Deployment \S+\/(?:kube-apiserver|machine-controller-manager)$/,
    ),
  },
  {
    why: 'the user changes the credentials',
    rows: inEachRow(row =>
      row.place.endsWith('/cloudprovider')
        ? { ...row, value: { ...Object(row.value), data: Object.keys(Object(row.value).data) } }
        : row,
    ),
  },
  {
    why: 'a generated Secret that is valid for some hours is renewed by a later reconciliation',
    rows: inEachRow(row => (isShortLived(row) ? withoutRotation(row) : row)),
  },
  {
    why: 'a manager removes an unused object some time later',
    rows: inEachRow(row =>
      metadataOf(row).annotations?.['trellis.gardener.cloud/unused-since'] === undefined ? row : undefined,
    ),
  },
]

const leftOut = (places: RegExp): WorldException['rows'] =>
  inEachRow(row => (places.test(row.place) ? undefined : row))

const isOfMachines = (row: WorldRow): boolean =>
  / (?:MachineDeployment|MachineClass) /.test(row.place) ||
  metadataOf(row).labels?.['gardener.cloud/purpose'] === 'machineclass'

const dayS = 86_400

/** The labels are in seconds. */
const isShortLived = (row: WorldRow): boolean => {
  const { labels = {} } = metadataOf(row)
  return Number(labels['valid-until-time']) - Number(labels['issued-at-time']) < dayS
}

const withoutRotation = (row: WorldRow): WorldRow => {
  const metadata = metadataOf(row)
  const labels = { ...metadata.labels, 'last-rotation-initiation-time': '' }
  return { ...row, value: { ...Object(row.value), metadata: { ...metadata, labels } } }
}

const metadataOf = ({ value }: WorldRow): Partial<KubernetesObject['metadata']> =>
  Object(Object(value).metadata)
