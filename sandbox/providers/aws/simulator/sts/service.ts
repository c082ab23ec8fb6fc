import { serviceModel } from '../codec/model.ts'
import { storedSchemas } from '../schemas/stored-schemas.ts'
import { commonRefusals } from '../serve/refusals.ts'
import type { Service } from '../service.ts'
import { assumeRole, assumeRoleWithWebIdentity } from './assume-role.ts'
import { getCallerIdentity } from './caller-identity.ts'

export interface StsSettings {
  /** The required audience of web identity tokens. Default: any. */
  readonly audience?: string
}

/** STS has no state. Sessions are access keys of the simulator. */
export type StsState = Record<string, never>

export const stsModel = serviceModel({
  name: 'sts',
  protocol: 'awsQuery',
  version: '2011-06-15',
  xmlNamespace: 'https://sts.amazonaws.com/doc/2011-06-15/',
  schemas: storedSchemas('sts'),
})

/** STS: the caller's identity, and sessions for roles. */
export const createSts = (settings: StsSettings = {}): Service<StsState> => ({
  model: stsModel,
  scope: 'global',
  signingName: 'sts',
  largestBody: 1024 * 1024,
  anonymous: ['AssumeRoleWithWebIdentity'],
  unguarded: ['GetCallerIdentity'],
  createState: () => ({}),
  refusals: {
    ...commonRefusals,
    unknownOperation: name => ({
      code: 'InvalidAction',
      message: `Could not find operation ${name} for version ${stsModel.version}`,
      status: 400,
    }),
  },
  handlers: {
    GetCallerIdentity: getCallerIdentity,
    AssumeRole: assumeRole,
    AssumeRoleWithWebIdentity: assumeRoleWithWebIdentity(settings),
  },
})
