import { canonicalQuantity } from '../../../../build/library/components.ts'
import type { NetworkConfig } from '../config/calico.ts'

/** Resource requests of a container. Absent: its defaults. */
export interface Amounts {
  readonly cpu?: string | number
  readonly memory?: string | number
}

/** The mode of scaling calico-node and Typha: by the size of the cluster, by their usage, or static. */
export interface Scaling {
  readonly mode: 'cluster-proportional' | 'vpa' | 'static'
  readonly node: Amounts
  readonly typha: Amounts
}

/** Without vertical autoscaling in the shoot, nothing scales by usage. */
export const scalingOf = ({ autoScaling }: NetworkConfig, hasVpa: boolean): Scaling => {
  const wanted = autoScaling?.mode ?? 'cluster-proportional'
  const mode = wanted === 'vpa' && !hasVpa ? 'cluster-proportional' : wanted
  if (mode === 'cluster-proportional') return { mode, node: {}, typha: {} }
  const { node = {}, typha = {} } = autoScaling?.resources ?? {}
  return { mode, node: amountsOf(node), typha: amountsOf(typha) }
}

const amountsOf = (amounts: Readonly<Record<string, string | number | undefined>>): Amounts =>
  Object.fromEntries(
    Object.entries(amounts).flatMap(([name, amount]) =>
      amount === undefined ? [] : [[name, asYaml(canonicalQuantity(amount))]],
    ),
  )

/** YAML reads digits as a number, and the Go extension writes YAML. */
const asYaml = (amount: string): string | number => (/^\d{1,15}$/.test(amount) ? Number(amount) : amount)
