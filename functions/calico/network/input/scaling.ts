import { canonicalQuantity } from '../../../../shared/contract/quantity.ts'
import type { NetworkConfig } from '../config/calico.ts'

/** What a container asks for; absent: what it has by itself. */
export interface Amounts {
  readonly cpu?: string | number
  readonly memory?: string | number
}

/** How calico-node and Typha get what they need: by the size of the cluster, by what they use, or not at all. */
export interface Scaling {
  readonly mode: 'cluster-proportional' | 'vpa' | 'static'
  readonly node: Amounts
  readonly typha: Amounts
}

/** A shoot without vertical autoscaling has nobody who scales by what is used. */
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

/** Digits alone are a number to who reads YAML, which the Go extension writes them in. */
const asYaml = (amount: string): string | number => (/^\d{1,15}$/.test(amount) ? Number(amount) : amount)
