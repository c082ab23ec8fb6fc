import { valueAt } from '../../../../shared/decode/record-of.ts'
import { type HashInput, isInPlace, type MachineClassContent } from '../../../../shared/worker/worker.ts'
import type { OpenStackWorkerConfig } from './config/worker-config.ts'

interface HashedPool {
  readonly updateStrategy?: string | null | undefined
}

/**
 * Returns the hash inputs of a pool's class after the Secret of the node agent, in this order: the id of the server
 * group, `name=value` of machine labels that roll machines, additional security groups; the last two sorted by bytes
 * (docs/contract/workers-openstack.md#hash).
 *
 * A pool that is updated in place has none, as in the Go extension: with another hash, a takeover would replace its
 * machines, which such a pool must never do.
 */
export const hashInputsOf = (
  pool: HashedPool,
  config: OpenStackWorkerConfig | undefined,
  serverGroupId: string | undefined,
): readonly HashInput[] =>
  isInPlace(pool)
    ? []
    : [
        {
          name: 'server group',
          datum: serverGroupId,
          observed: ({ providerSpec }) => textOf(valueAt(providerSpec, 'spec', 'serverGroupID')),
        },
        ...labelInputs(config),
        ...groupInputs(config),
      ]

const labelInputs = (config: OpenStackWorkerConfig | undefined): readonly HashInput[] =>
  (config?.machineLabels ?? [])
    .filter(({ triggerRollingOnUpdate }) => triggerRollingOnUpdate === true)
    .map(({ name, value }): HashInput & { readonly datum: string } => ({
      name: `machine label ${name}`,
      datum: `${name}=${value}`,
      observed: ({ providerSpec }) => {
        const former = textOf(valueAt(providerSpec, 'spec', 'tags', tagKey(name)))
        return former === undefined ? undefined : `${name}=${former}`
      },
    }))
    .toSorted((one, other) => byBytes(one.datum, other.datum))

/** A class lists them behind the nodes' security group, in the order of the spec. */
const groupInputs = (config: OpenStackWorkerConfig | undefined): readonly HashInput[] => {
  const groups = (config?.additionalSecurityGroups ?? []).toSorted(byBytes)
  return groups.map((datum, index) => ({
    name: `additional security group ${index + 1}`,
    datum,
    observed: content => formerGroups(content)[index],
  }))
}

const formerGroups = ({ providerSpec }: MachineClassContent): readonly string[] => {
  const groups = valueAt(providerSpec, 'spec', 'securityGroups')
  return Array.isArray(groups) ? groups.slice(1).map(String).toSorted(byBytes) : []
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** Compares texts by their bytes, as Go sorts strings. */
export const byBytes = (one: string, other: string): number =>
  Buffer.compare(Buffer.from(one), Buffer.from(other))

/** Returns a label name as key of a server's metadata: other characters become `-`. */
export const tagKey = (name: string): string => name.replace(/[^a-zA-Z0-9\-_:. ]/gu, '-')
