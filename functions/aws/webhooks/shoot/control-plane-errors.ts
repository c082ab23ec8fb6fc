import { minorVersionOf } from '../../../../shared/contract/minor-version-of.ts'
import { messageOf } from '../../../../shared/text/message-of.ts'
import { fieldErrors } from '../../../../shared/webhooks/admission/admission.ts'
import {
  controlPlaneConfigProblems,
  controlPlaneConfigSchema,
  decodeStrictly,
} from '../../../../terraform-free-infra/aws/account/config/config.ts'
import { isAbsent } from '../garden/json.ts'
import type { ShootSpec } from './shoot-parts.ts'

const place = { at: 'spec.provider.controlPlaneConfig' } as const

/** Returns the errors in `spec.provider.controlPlaneConfig` of a shoot. */
export const controlPlaneErrors = ({ provider, kubernetes }: ShootSpec): readonly string[] => {
  const value = provider?.controlPlaneConfig
  if (isAbsent(value)) return []
  const within = { ...place, within: value }
  try {
    const config = decodeStrictly(controlPlaneConfigSchema, value)
    return fieldErrors(controlPlaneConfigProblems(config, minorOf(kubernetes?.version)), within)
  } catch (error) {
    return fieldErrors([{ path: '', message: messageOf(error) }], within)
  }
}

/** Returns the minor version. An unreadable version has every feature gate; another check refuses it. */
const minorOf = (version: string | null | undefined): number => {
  try {
    return minorVersionOf(version ?? '').minor
  } catch {
    return Number.POSITIVE_INFINITY
  }
}
