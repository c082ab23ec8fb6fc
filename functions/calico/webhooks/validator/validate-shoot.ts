import * as z from 'zod'
import { type Problem, problemsOf } from '../../../../shared/decode/problems.ts'
import { messageOf } from '../../../../shared/text/message-of.ts'
import { fieldErrors, type Reviewer, refusedFor } from '../../../../shared/webhooks/admission/admission.ts'
import {
  decodeNetworkConfig,
  isCidr,
  kubeProxyProblems,
  networkConfigProblems,
} from '../../network/config/calico.ts'

const string = z.string().nullish()

/** The validated part of the `spec` of a Shoot. The rest may have any form. */
const shootSpec = z.object({
  networking: z
    .object({
      type: string,
      nodes: string,
      pods: string,
      services: string,
      ipFamilies: z.array(z.string()).nullish(),
      providerConfig: z.unknown().optional(),
    })
    .nullish(),
  kubernetes: z.object({ kubeProxy: z.object({ enabled: z.boolean().nullish() }).nullish() }).nullish(),
  provider: z.object({ workers: z.array(z.unknown()).nullish() }).nullish(),
})
type NetworkedShoot = z.output<typeof shootSpec>

const configPath = 'spec.networking.providerConfig'

/**
 * Validates the network of a Shoot (docs/contract/small-kinds.md#admission). A shoot without nodes has no network.
 * Ignores one that is being deleted.
 */
export const validateShoot: Reviewer = ({ object }) => {
  const { data, error } = shootSpec.safeParse(object.spec ?? {})
  if (error !== undefined)
    return refusedFor(fieldErrors(problemsOf(error.issues, object.spec), { at: 'spec', within: object.spec }))
  if ((data.provider?.workers ?? []).length === 0) return {}
  const networking = fieldErrors(networkingProblems(data), { within: object })
  return refusedFor([...networking, ...configErrors(data, object)])
}

const networkingProblems = ({ networking }: NetworkedShoot): readonly Problem[] => {
  const families = networking?.ipFamilies ?? []
  const path = 'spec.networking.ipFamilies'
  const problems: Problem[] = (['pods', 'nodes', 'services'] as const).flatMap(field => {
    const range = networking?.[field]
    if (!range || isCidr(range)) return []
    return [{ path: `spec.networking.${field}`, message: 'expected a CIDR such as 10.0.0.0/16' }]
  })
  if (!families.every(family => family === 'IPv4' || family === 'IPv6'))
    problems.push({ path, message: 'expected IPv4, IPv6 or both' })
  else if (new Set(families).size < families.length)
    problems.push({ path, message: 'expected each family once' })
  return problems
}

/** Returns the errors of the config and of the shoot around it. */
const configErrors = ({ networking, kubernetes }: NetworkedShoot, object: unknown): readonly string[] => {
  try {
    const config = decodeNetworkConfig(networking?.providerConfig)
    const problems = networkConfigProblems(config, networking?.ipFamilies ?? [])
    return [
      ...fieldErrors(problems, { at: configPath, within: networking?.providerConfig }),
      ...fieldErrors(kubeProxyProblems(config, kubernetes?.kubeProxy), { within: object }),
    ]
  } catch (error) {
    return [`${configPath}: Invalid value: ${messageOf(error)}`]
  }
}
