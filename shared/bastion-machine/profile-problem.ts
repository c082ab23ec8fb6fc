import { CodedError } from '../contract/errors.ts'

/** Where a CloudProfile stands in the Cluster. */
export const profileField = 'spec.cloudProfile.spec'

/** What a CloudProfile lacks for a bastion. */
export const profileProblem = (message: string): CodedError =>
  new CodedError(`choosing the machine of the bastion: ${message}`, {
    codes: ['ERR_CONFIGURATION_PROBLEM'],
  })
