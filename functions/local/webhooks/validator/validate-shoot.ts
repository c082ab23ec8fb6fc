import { BlockList, isIP } from 'node:net'
import * as z from 'zod'
import { type Problem, problemsOf } from '../../../../shared/decode/problems.ts'
import { valueAt } from '../../../../shared/decode/record-of.ts'
import { when } from '../../../../shared/lists/when.ts'
import { fieldErrors, type Reviewer, refusedFor } from '../../../../shared/webhooks/admission/admission.ts'
import { isAbsent } from '../../../../shared/webhooks/garden/garden.ts'

const path = 'spec.networking.nodes'

/** The ranges that may contain the nodes. They are pods of the provider cluster, or containers beside it. */
const ranges = {
  pods: { 4: '10.0.0.0/16', 6: 'fd00:10:1:100::/56' },
  containers: { 4: '172.18.0.0/24', 6: 'fd00:10::/64' },
} as const

const shootSpec = z.object({
  networking: z.object({ nodes: z.string().nullish() }).nullish(),
  provider: z
    .object({ workers: z.array(z.object({ controlPlane: z.unknown().optional() })).nullish() })
    .nullish(),
  credentialsBindingName: z.unknown().optional(),
  secretBindingName: z.unknown().optional(),
})

/** Validates the range of a Shoot's nodes if it is new or changed (docs/contract/provider-local.md#admission). */
export const validateShoot: Reviewer = ({ object, oldObject }) => {
  const { data, error } = shootSpec.safeParse(object.spec ?? {})
  if (error !== undefined)
    return refusedFor(fieldErrors(problemsOf(error.issues, object.spec), { at: 'spec', within: object.spec }))
  const workers = data.provider?.workers ?? []
  if (workers.length === 0) return {}
  const nodes = data.networking?.nodes ?? undefined
  if (oldObject !== undefined && (valueAt(oldObject, 'spec', 'networking', 'nodes') ?? undefined) === nodes)
    return {}
  const isSelfHosted = workers.some(({ controlPlane }) => !isAbsent(controlPlane))
  const isManaged = !isAbsent(data.credentialsBindingName) || !isAbsent(data.secretBindingName)
  const allowed = isSelfHosted && !isManaged ? ranges.containers : ranges.pods
  return refusedFor(fieldErrors(nodesProblems(nodes, allowed), { within: object }))
}

const nodesProblems = (
  nodes: string | undefined,
  allowed: Readonly<Record<4 | 6, string>>,
): readonly Problem[] => {
  if (nodes === undefined)
    return [{ path, message: 'expected a range of nodes, found nothing', kind: 'required' }]
  const range = readRange(nodes)
  if (range === undefined) return [{ path, message: 'expected a CIDR such as 10.0.0.0/16' }]
  const within = allowed[range.family]
  return when(!isPart(range, within), { path, message: `expected a CIDR inside ${within}` })
}

interface NodesRange {
  readonly family: 4 | 6
  readonly address: string
  readonly bits: number
}

const readRange = (text: string): NodesRange | undefined => {
  const [address = '', bits = '', ...more] = text.split('/')
  const family = isIP(address)
  // A range has no zone: fe80::1%eth0 is one address of one machine.
  if ((family !== 4 && family !== 6) || more.length > 0 || address.includes('%')) return undefined
  if (!/^(?:0|[1-9]\d{0,2})$/.test(bits) || Number(bits) > (family === 4 ? 32 : 128)) return undefined
  return { family, address, bits: Number(bits) }
}

const isPart = ({ family, address, bits }: NodesRange, whole: string): boolean => {
  const outer = readRange(whole)
  if (outer === undefined || outer.family !== family || bits < outer.bits) return false
  const name = family === 4 ? 'ipv4' : 'ipv6'
  const list = new BlockList()
  list.addSubnet(outer.address, outer.bits, name)
  return list.check(address, name)
}
